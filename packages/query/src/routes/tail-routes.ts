import { Type } from 'typebox';
import { HttpError, httpError } from '@millrace/api/errors';
import { toHttpError } from '@millrace/http/errors/error-responses';
import { bytes, route, type RouteResponse, type RequestContext, type Route } from '@millrace/http/route';
import { optional } from '@millrace/api/schemas/parts';
import { errorTranslator } from '../translate-errors.js';
import { parseCursor } from '../run/cursor.js';
import { onceAborted } from '../schedule/on-abort.js';
import type { QueryService } from '../service.js';
import { type TailPosition, startTail, wholeBatch } from '../tail.js';
import { queryErrors } from './query-errors.js';

/** Events as they arrive. */

const TailBody = Type.Object({
  apl: Type.String({ description: 'One dataset, and operators that process one event at a time.' }),
  after: optional(
    Type.String({
      description: 'Last position or cursor received; the tail continues after it. Default: now.',
    }),
  ),
});

export const tailRoutes = (service: QueryService): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/tail',
    operation: 'tail',
    tag: 'Query',
    summary: 'Tail events in arrival order',
    description:
      'Endless NDJSON. `{"event":{…},"position":"…","cursor":"…"}` is an event. `{"settled":"…","at":"…"}`, at least every two seconds, is the position ' +
      'up to which all events were sent. Without `after`, the first line is such a position and has it as `since`, too: a query with it as `asOf` has the events before the tail. `{"behind":{"position":"…","settled":"…"}}` means that the tail is lagging. To resume, set `after` to the last cursor ' +
      'or settled position: events are neither lost nor duplicated, even events with earlier times. `{"end":{"reason":"…"}}` is the last line ' +
      'of a tail that must be requested again, after ten minutes (`time`). `{"error":{"code":"…","message":"…"}}` is the last line if the tail failed or its token is no longer valid. ' +
      'The server reads more events when the client has read the last ones, so a slow client lags and nothing is buffered for it. A quarantined batch that is stored later is sent only if its position is still ahead of the tail.',
    need: { scope: 'query' },
    request: { body: TailBody },
    responses: { 200: { description: 'Lines of JSON.', mediaTypes: ['application/x-ndjson'] } },
    errors: [...queryErrors, 'dataset-not-found'],
    examples: [{ summary: 'Errors as they arrive', body: { apl: "['http-logs'] | where status >= 500" } }],
    limitFamily: 'Query',
    streams: true,
    exactIntegers: true,
    handle: (call) => answerTail(call, service),
  }),
];

type TailCall = RequestContext<{ readonly body: typeof TailBody }>;

async function answerTail(call: TailCall, service: QueryService): Promise<RouteResponse> {
  const { apl, after } = call.body;
  const behind = after === undefined || after === '' ? undefined : placeOf(after);
  const execution = service.jobs.begin(call, { kind: 'tail', text: apl });
  try {
    const lines = await startTail(call, { apl, after: behind }, execution, service);
    onceAborted(execution.signal, () => execution.end('cancelled'));
    const messages = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* lines;
        execution.end('ok');
      } catch (error) {
        yield endOf(error, call, service);
      } finally {
        execution.end('failed');
      }
    };
    return bytes(messages(), 'application/x-ndjson', 200, service.jobs.headers(call));
  } catch (error) {
    execution.end('failed');
    throw error;
  }
}

/** The error, as the last line. */
function endOf(error: unknown, call: TailCall, { settings }: QueryService): Uint8Array {
  const found = toHttpError(error, { settings, traceId: call.traceId, translate: errorTranslator(settings) });
  if (!(error instanceof HttpError) && !call.abort.signal.aborted) call.log.warn({ err: error }, 'a tail failed');
  const { code, message } = found;
  return Buffer.from(`${JSON.stringify({ error: { code, message } })}\n`);
}

/** @throws HttpError `invalid-cursor` */
function placeOf(after: string): TailPosition {
  if (/^\d{1,19}$/.test(after)) return wholeBatch(BigInt(after));
  const place = parseCursor(after);
  if (place === undefined) throw httpError('invalid-cursor', {});
  return { seq: place.seq, row: place.row };
}
