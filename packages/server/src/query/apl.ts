import { httpError } from '../errors.js';
import type { Call } from '../http/route.js';
import { againIfGone } from './again-if-gone.js';
import { requestEcho, shownRange, withCursorColumn } from './answers/answer.js';
import { compileApl } from './compile/compile.js';
import { contextFor } from './compile/context.js';
import type { QueryOutcome } from './run/execute.js';
import { fieldsMetaMapOf } from './answers/fields-meta.js';
import type { Course } from './run/jobs.js';
import { bucketsOf } from './answers/buckets.js';
import { legacyAnswer } from './answers/legacy.js';
import { holdOf, untilFound } from './long-poll.js';
import { type AplBody, type AplQuery, type AplRequest, aplRequest, arrivedBy } from './compile/request.js';
import { rowsAnswer } from './answers/rows.js';
import { type QueryService, runCompiled, shownDatasets, versionOf } from './service.js';
import { statusOf, timeMessages } from './answers/status.js';
import { tabularAnswer } from './answers/tabular.js';

/** A query in APL, from the request to the pieces of its answer. */

interface AplResult {
  readonly request: AplRequest;
  readonly outcome: QueryOutcome;
  /** When the query was asked, nanoseconds since the epoch. */
  readonly now: bigint;
}

interface AskedApl {
  readonly body: AplBody;
  readonly query: AplQuery;
  /** The format of the answer. */
  readonly format: AplFormat;
}

/**
 * Compiles and runs a query; holds it until events match if the request says so.
 * @throws HttpError, EngineError
 */
export const runApl = (
  call: Pick<Call, 'may' | 'renew'>,
  asked: AskedApl,
  course: Course,
  service: QueryService,
): Promise<AplResult> => againIfGone(() => attemptApl(call, asked, course, service));

async function attemptApl(
  call: Pick<Call, 'may' | 'renew'>,
  { body, query, format }: AskedApl,
  course: Course,
  service: QueryService,
): Promise<AplResult> {
  const asked = service.clock();
  const hold = holdOf(query['streaming-duration']);
  const isHeld = hold > 0;
  const first = aplRequest(body, query, asked);
  const cached = query.nocache !== true;
  const newContext = () => contextFor(call, course, service, { now: asked, cached });
  const context = await newContext();
  const needs = { arrivals: format === 'legacy' };
  const compiled = await compileApl(first, context, needs);
  return untilFound(
    {
      run: async () => {
        const time = service.clock();
        if (isHeld) course.anew();
        const request = isHeld ? movedOn(first, asked, time) : first;
        // Events that arrived meanwhile may have brought new fields. Even the first attempt has to include them: nothing would trigger another.
        const attempt = isHeld
          ? await compileApl(request, { ...(await newContext()), impliedEnd: time }, needs)
          : compiled;
        const cursor = request.cursor?.place.time;
        const outcome = await course.turn(async (deadline) => {
          // The turn may have been long in coming.
          await call.renew();
          return runCompiled(
            attempt,
            { signal: course.signal, deadline, cursor, cached, ...arrivedBy(request) },
            service,
          );
        });
        return { request, outcome, now: asked };
      },
      isEmpty: ({ outcome }) => outcome.compiled.presentation.kind === 'events' && outcome.table.rows === 0,
      still: () => call.renew(),
      version: () => versionOf(service, compiled),
    },
    hold,
    course.signal,
  );
}

/** An end that was about now when the request came moves on while it is held, because events that arrive meanwhile are what it waits for. */
export function movedOn<R extends Pick<AplRequest, 'range'>>(request: R, asked: bigint, now: bigint): R {
  const { range } = request;
  const follows = range.given.end && range.end >= asked - recently && range.end < now;
  return follows ? { ...request, range: { ...range, end: now } } : request;
}

/** How old an end may be and still mean now: clients read their clock before they send, some drop the fraction, and requests take time. */
const recently = 5_000_000_000n;

type AplFormat = 'legacy' | 'tabular' | 'tabular-rows';

/** @throws HttpError `invalid-request` */
export function formatOf(given: string | undefined): AplFormat {
  switch (given) {
    case undefined:
    case '':
    case 'legacy':
      return 'legacy';
    case 'tabular':
    case 'tabular-rows':
      return given;
    default:
      throw httpError('invalid-request', {
        problem: `the format '${given}' is unknown; use tabular, tabular-rows or legacy`,
      });
  }
}

/** The answer in pieces. */
export async function aplAnswer(
  call: Pick<Call, 'may'>,
  { request, outcome: found, now }: AplResult,
  { format, elapsedMicroseconds }: { readonly format: AplFormat; readonly elapsedMicroseconds: number },
  service: QueryService,
): Promise<readonly Uint8Array[]> {
  const outcome = request.cursorField ? withCursorColumn(found) : found;
  if (format === 'tabular-rows') return rowsAnswer(outcome.table);
  const datasetNames = shownDatasets(call, outcome.compiled);
  const fieldsMetaMap = await fieldsMetaMapOf(outcome.table.output, datasetNames, service);
  const messages = timeMessages(request, outcome.compiled);
  const status = statusOf(outcome, { elapsedMicroseconds, cursor: request.cursor?.text, messages });
  const range = shownRange(outcome.compiled, request, now);
  if (format === 'tabular') return tabularAnswer(outcome, { status, datasetNames, fieldsMetaMap, range });
  const head = { status, datasetNames, fieldsMetaMap, request: requestEcho(outcome, range, request) };
  return legacyAnswer(head, outcome, bucketsOf(outcome));
}
