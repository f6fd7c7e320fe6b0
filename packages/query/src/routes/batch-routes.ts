import { setMaxListeners } from 'node:events';
import { Type } from 'typebox';
import { HttpError, httpError } from '@millrace/api/errors';
import { errorResponse, toHttpError } from '@millrace/http/errors/error-responses';
import { bytes, route, type RouteResponse, type RequestContext, type Route } from '@millrace/http/route';
import { errorTranslator } from '../translate-errors.js';
import { aplAnswer, runApl } from '../apl.js';
import { inParallel } from './in-parallel.js';
import type { OwnedExecution } from '../schedule/jobs.js';
import { onceAborted } from '../schedule/on-abort.js';
import { queryErrors } from './query-errors.js';
import { AplBody } from '../compile/request.js';
import { metricsResponse } from '../mpl/metrics-response.js';
import { MplBody, mplRequest, widthHeader, WidthHeader } from '../mpl/request.js';
import { runMpl } from '../mpl/run-mpl.js';
import { inPieces } from './in-pieces.js';
import type { QueryService } from '../service.js';

/**
 * Several queries in one request, answered as server-sent events in the order in which they finish.
 */

const BatchQuery = Type.Object({
  maxConcurrency: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      default: 10,
      description: 'Maximum queries of the batch that run concurrently.',
    }),
  ),
  nocache: Type.Optional(Type.Boolean({ description: 'Bypass the result cache.' })),
});
const Item = Type.Object({
  queryId: Type.String({ minLength: 1, description: 'Unique in the batch.' }),
  aplRequest: Type.Optional(AplBody),
  mplRequest: Type.Optional(
    Type.Union([MplBody, Type.Null()], { description: 'A query of metrics, instead of `aplRequest`.' }),
  ),
});
const BatchBody = Type.Array(Item, { minItems: 1, maxItems: 1000 });
const request = { query: BatchQuery, headers: Type.Object(WidthHeader), body: BatchBody } as const;
type BatchCall = RequestContext<typeof request>;
type Item = BatchCall['body'][number];

export function batchRoutes(service: QueryService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/query/batch',
      operation: 'queryBatch',
      tag: 'Query',
      summary: 'Run several queries',
      description:
        'Each event is `data: {"kind":"apl","queryId":…,"status":200,"data":…}` with a result in the tabular format, or for `mpl` in `metrics-v2`, or with the status and body of ' +
        'an error; queries fail individually. An element of metrics has the chart width of its `queryOptions`, or of the request. The stream ends with the last result. Each running query counts toward the limit of the token: the first is rejected if ' +
        'the token is at its limit, the others wait until the token is below half of its limit; one at a time runs even above it.',
      need: { scope: 'query' },
      request,
      responses: { 200: { description: 'The results.', mediaTypes: ['text/event-stream'] } },
      errors: queryErrors,
      examples: [
        {
          summary: 'Two counts',
          body: [
            { queryId: 'a', aplRequest: { apl: "['http-logs'] | count" } },
            { queryId: 'b', aplRequest: { apl: "['app-logs'] | count" } },
          ],
        },
      ],
      limitFamily: 'Query',
      exactIntegers: true,
      handle: (call: BatchCall) => answerBatch(call, service),
    }),
  ];
}

function answerBatch(call: BatchCall, service: QueryService): RouteResponse {
  const { body, query } = call;
  const ids = new Set(body.map(({ queryId }) => queryId));
  if (ids.size < body.length)
    throw httpError('invalid-request', { problem: 'every queryId must be unique in the batch' });
  const { jobs } = service;
  const [first] = body;
  // The first query is rejected when its token runs too many, like any query. The others wait for a
  // slot.
  const firstCourse = jobs.begin(call, aboutOf(first!));
  // All queries listen to this signal, each with the statements it sends to the engine, so many
  // listeners are no leak.
  setMaxListeners(0, firstCourse.signal);
  const headers = { 'cache-control': 'no-cache', ...jobs.headers(call) };
  const open = new Set([firstCourse]);
  const endAll = (): void => {
    for (const { end } of open) end('cancelled');
  };
  onceAborted(firstCourse.signal, endAll);
  const begin = async (item: Item): Promise<OwnedExecution> => {
    const execution = item === first ? firstCourse : await jobs.beginLater(call, aboutOf(item));
    open.add(execution);
    // The request ended while this query waited for a slot.
    if (execution.signal.aborted) endAll();
    return execution;
  };
  const events = async function* (): AsyncGenerator<Uint8Array> {
    try {
      const atOnce = query.maxConcurrency ?? 10;
      for await (const event of inParallel(body, atOnce, (item) => eventOf(item, call, () => begin(item), service))) {
        yield event.bytes;
        // The query ends only when its result has been consumed, so that results waiting for slow
        // readers count against the limit.
        const { execution, outcome } = event;
        if (execution === undefined) continue;
        execution.end(outcome);
        open.delete(execution);
      }
    } finally {
      endAll();
    }
  };
  return bytes(events(), 'text/event-stream', 200, headers);
}

/** What a query is to the list of running queries. */
function aboutOf({ aplRequest, mplRequest: metrics }: Item): { readonly kind: 'apl' | 'mpl'; readonly text: string } {
  return aplRequest === undefined
    ? { kind: 'mpl', text: metrics?.mpl ?? metrics?.apl ?? '' }
    : { kind: 'apl', text: aplRequest.apl };
}

/** The result of one query, and its job, which ends when the result has been consumed. */
interface AnsweredItem {
  readonly bytes: Uint8Array;
  readonly outcome: 'ok' | 'failed';
  /** Undefined if the request ended before it got a slot. */
  readonly execution: OwnedExecution | undefined;
}

/** The event with the result of one query; never fails. */
async function eventOf(
  item: Item,
  call: BatchCall,
  begin: () => Promise<OwnedExecution>,
  service: QueryService,
): Promise<AnsweredItem> {
  const started = performance.now();
  let execution: OwnedExecution | undefined;
  const { queryId } = item;
  const frame = (status: number, pieces: readonly Uint8Array[], watermark?: bigint): Uint8Array => {
    const { kind } = aboutOf(item);
    const head = JSON.stringify({ kind, queryId, status }).slice(0, -1);
    const end = watermark === undefined ? '}' : `,"settled":"${watermark}"}`;
    return Buffer.concat([Buffer.from(`data: ${head},"data":`), ...pieces, Buffer.from(`${end}\n\n`)]);
  };
  try {
    execution = await begin();
    // The one before may have taken long.
    await call.renew();
    const { pieces, watermark } = await answerItem(item, call, execution, service, started);
    return { bytes: frame(200, pieces, watermark), outcome: 'ok', execution };
  } catch (error) {
    const { settings } = service;
    const translation = { settings, traceId: call.traceId, translate: errorTranslator(settings) };
    const found = toHttpError(error, translation);
    if (!(error instanceof HttpError)) call.log.warn({ err: error, queryId }, 'a query of a batch failed');
    call.partFailed(found);
    const { status, body } = errorResponse(found, settings);
    return { bytes: frame(status, [Buffer.from(JSON.stringify(body))]), outcome: 'failed', execution };
  }
}

/**
 * Runs one query.
 * @param started by `performance.now()`
 * @throws HttpError, EngineError
 */
async function answerItem(
  { aplRequest, mplRequest: metrics }: Item,
  call: BatchCall,
  execution: OwnedExecution,
  service: QueryService,
  started: number,
): Promise<{ readonly pieces: readonly Uint8Array[]; readonly watermark?: bigint }> {
  const asksMetrics = metrics !== undefined && metrics !== null;
  if ((aplRequest !== undefined) === asksMetrics)
    throw httpError('invalid-request', { problem: 'each query needs either an aplRequest or an mplRequest' });
  if (asksMetrics) {
    const now = service.arrivalClock();
    const asked = mplRequest(metrics, now, call.headers[widthHeader]);
    const outcome = await runMpl(asked, { call, execution, service, now, cached: false });
    return { pieces: await inPieces(metricsResponse(outcome, 'v2')) };
  }
  const { nocache } = call.query;
  const format = 'tabular';
  const prepared = { body: aplRequest!, query: nocache === undefined ? {} : { nocache }, format } as const;
  const result = await runApl(call, prepared, execution, service);
  const elapsedMicroseconds = Math.round((performance.now() - started) * 1000);
  const pieces = await aplAnswer(call, result, { format, elapsedMicroseconds, spent: execution.spent() }, service);
  return { pieces, watermark: result.outcome.watermark };
}
