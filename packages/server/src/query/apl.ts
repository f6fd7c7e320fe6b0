import { Breath, taken } from '../async/breath.js';
import { httpError } from '../errors.js';
import type { Call } from '../http/route.js';
import { attempted } from './attempts.js';
import { requestEcho, shownRange, withCursorColumn } from './answers/answer.js';
import type { QueryOutcome } from './run/execute.js';
import { fieldsMetaMapOf } from './answers/fields-meta.js';
import type { Course } from './run/jobs.js';
import { bucketsOf } from './answers/buckets.js';
import { legacyAnswer } from './answers/legacy.js';
import { holdOf, movedOn } from './long-poll.js';
import { perform } from './perform.js';
import type { Asking } from './asking.js';
import { prepare } from './prepare.js';
import { type AplBody, type AplQuery, type AplRequest, aplRequest, arrivedBy } from './compile/request.js';
import { rowsAnswer } from './answers/rows.js';
import { type QueryService, shownDatasets } from './service.js';
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
 * Prepares and performs a query; holds it until events match if the request says so.
 * @throws HttpError, EngineError
 */
export function runApl(
  call: Pick<Call, 'may' | 'renew' | 'principal'>,
  { body, query, format }: AskedApl,
  course: Course,
  service: QueryService,
): Promise<AplResult> {
  const now = service.arrivalClock();
  const first = aplRequest(body, query, now);
  const milliseconds = holdOf(query['streaming-duration']);
  const asking: Asking = { call, course, service, now, cached: query.nocache !== true };
  return attempted(
    {
      prepare: async () => {
        const at = milliseconds > 0 ? service.arrivalClock() : now;
        const request = milliseconds > 0 ? movedOn(first, now, at) : first;
        const plan = await prepare(request, { ...asking, impliedEnd: at }, { arrivals: format === 'legacy' });
        return { request, plan };
      },
      perform: async ({ request, plan }) => {
        const how = { cursor: request.cursor?.place.time, ...arrivedBy(request) };
        return { request, outcome: await perform(plan, asking, how), now };
      },
    },
    {
      ...asking,
      milliseconds,
      reads: ({ plan }) => plan,
      isEmpty: ({ outcome }) => outcome.compiled.presentation.kind === 'events' && outcome.table.rows === 0,
    },
  );
}

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
  if (format === 'tabular-rows') return taken(rowsAnswer(outcome.table), new Breath());
  const datasetNames = shownDatasets(call, outcome.compiled);
  const fieldsMetaMap = await fieldsMetaMapOf(outcome.table.output, datasetNames, service);
  const messages = timeMessages(request, outcome.compiled);
  const status = statusOf(outcome, { elapsedMicroseconds, cursor: request.cursor?.text, messages });
  const range = shownRange(outcome.compiled, request, now);
  if (format === 'tabular')
    return taken(tabularAnswer(outcome, { status, datasetNames, fieldsMetaMap, range }), new Breath());
  const head = { status, datasetNames, fieldsMetaMap, request: requestEcho(outcome, range, request) };
  return taken(legacyAnswer(head, outcome, bucketsOf(outcome)), new Breath());
}
