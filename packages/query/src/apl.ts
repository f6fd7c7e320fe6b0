import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import { httpError } from '@millrace/api/errors';
import type { RequestContext } from '@millrace/http/route';
import { retryOnChange } from './retries.js';
import { requestEcho, shownRange, addCursorColumn } from './results/respond.js';
import type { QueryOutcome } from './run/outcome.js';
import { fieldsMetaMapOf } from './results/fields-meta.js';
import type { QueryExecution } from './schedule/jobs.js';
import { bucketsOf } from './results/buckets.js';
import { legacyAnswer } from './results/legacy.js';
import { longPollMilliseconds, advanceEnd } from './long-poll.js';
import { runPlan } from './run-plan.js';
import type { QueryRunContext } from './context.js';
import { prepare } from './prepare.js';
import { type AplBody, type AplQuery, type AplRequest, aplRequest, arrivedBy } from './compile/request.js';
import { rowsAnswer } from './results/rows.js';
import { type QueryService, shownDatasets } from './service.js';
import { statusOf, timeMessages } from './results/status.js';
import { waitedMessage } from './results/waited-message.js';
import type { PhaseTimes } from './schedule/query-time.js';
import { tabularAnswer } from './results/tabular.js';

/** A query in APL, from the request to the chunks of its response. */

interface AplResult {
  readonly request: AplRequest;
  readonly outcome: QueryOutcome;
  /** When the query arrived, nanoseconds since the epoch. */
  readonly now: bigint;
}

interface AplCall {
  readonly body: AplBody;
  readonly query: AplQuery;
  /** The format of the response. */
  readonly format: AplFormat;
}

/**
 * Prepares and performs a query; holds it until events match if the request says so.
 * @throws HttpError, EngineError
 */
export function runApl(
  call: Pick<RequestContext, 'may' | 'renew' | 'principal'>,
  { body, query, format }: AplCall,
  execution: QueryExecution,
  service: QueryService,
): Promise<AplResult> {
  const now = service.arrivalClock();
  const first = aplRequest(body, query, now);
  const milliseconds = longPollMilliseconds(query['streaming-duration']);
  const context: QueryRunContext = { call, execution, service, now, cached: query.nocache !== true };
  return retryOnChange(
    {
      prepare: async () => {
        const at = milliseconds > 0 ? service.arrivalClock() : now;
        const request = milliseconds > 0 ? advanceEnd(first, now, at) : first;
        const plan = await prepare(request, { ...context, impliedEnd: at }, { arrivals: format === 'legacy' });
        return { request, plan };
      },
      perform: async ({ request, plan }) => {
        const how = { cursor: request.cursor?.place.time, ...arrivedBy(request) };
        return { request, outcome: await runPlan(plan, context, how), now };
      },
    },
    {
      ...context,
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

interface AplResponse {
  readonly format: AplFormat;
  readonly elapsedMicroseconds: number;
  readonly spent: PhaseTimes;
}

/** The response in chunks. */
export async function aplAnswer(
  call: Pick<RequestContext, 'may'>,
  { request, outcome: found, now }: AplResult,
  { format, elapsedMicroseconds, spent }: AplResponse,
  service: QueryService,
): Promise<readonly Uint8Array[]> {
  const outcome = request.cursorField ? addCursorColumn(found) : found;
  if (format === 'tabular-rows') return runYielding(rowsAnswer(outcome.table), new Yielder());
  const datasetNames = shownDatasets(call, outcome.compiled);
  const fieldsMetaMap = await fieldsMetaMapOf(outcome.table.output, datasetNames, service);
  const messages = [...timeMessages(request, outcome.compiled), ...waitedMessage(spent)];
  const status = statusOf(outcome, { elapsedMicroseconds, cursor: request.cursor?.text, messages });
  const range = shownRange(outcome.compiled, request, now);
  if (format === 'tabular')
    return runYielding(tabularAnswer(outcome, { status, datasetNames, fieldsMetaMap, range }), new Yielder());
  const head = { status, datasetNames, fieldsMetaMap, request: requestEcho(outcome, range, request) };
  return runYielding(legacyAnswer(head, outcome, bucketsOf(outcome)), new Yielder());
}
