import { Type } from 'typebox';
import { HttpError, httpError } from '../../errors.js';
import { toHttpError } from '../../http/errors/error-answers.js';
import { bytes, route, type Answer, type Call, type Route } from '../../http/route.js';
import { optional } from '../../schemas/parts.js';
import { errorTranslator } from '../../translate-errors.js';
import { parseCursor } from '../run/cursor.js';
import { onceAborted } from '../run/once-aborted.js';
import type { QueryService } from '../service.js';
import { type Arrived, startTail, wholeBatch } from '../tail.js';
import { queryErrors } from './query-errors.js';

/** Events as they arrive. */

const TailBody = Type.Object({
  apl: Type.String({ description: 'One dataset, and operators that look at one event at a time.' }),
  after: optional(
    Type.String({
      description: 'The last position or cursor that you have; everything behind it is sent. From now on if left out.',
    }),
  ),
});

export const tailRoutes = (service: QueryService): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/tail',
    operation: 'tail',
    tag: 'Query',
    summary: 'Follow events in the order of their arrival',
    description:
      'NDJSON, without an end. `{"event":{…},"position":"…","cursor":"…"}` is an event; `{"settled":"…","at":"…"}` comes at least every other second and says up ' +
      'to which position everything has been sent; `{"behind":{"position":"…","settled":"…"}}` that there is more than was read so far. After a break, ask with `after` set to what came ' +
      'last, the cursor of an event or a settled position: nothing is missed, and nothing comes twice, also of events that are dated earlier than what was sent before. `{"end":{"reason":"…"}}` is the last line ' +
      'of a tail that has to be asked for again, after ten minutes (`time`). `{"error":{"code":"…","message":"…"}}` is the last one if it failed, or its token is no longer good. ' +
      'The next events are made when the last ones were read, so a slow reader is behind and nothing is kept for it. A batch that the engine refused is sent when it goes in only if its position is still to come.',
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

type TailCall = Call<{ readonly body: typeof TailBody }>;

async function answerTail(call: TailCall, service: QueryService): Promise<Answer> {
  const { apl, after } = call.body;
  const behind = after === undefined || after === '' ? undefined : placeOf(after);
  const course = service.jobs.begin(call, { kind: 'tail', text: apl });
  try {
    const lines = await startTail(call, { apl, after: behind }, course, service);
    onceAborted(course.signal, () => course.end('cancelled'));
    const told = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* lines;
        course.end('ok');
      } catch (error) {
        yield endOf(error, call, service);
      } finally {
        course.end('failed');
      }
    };
    return bytes(told(), 'application/x-ndjson', 200, service.jobs.headers(call));
  } catch (error) {
    course.end('failed');
    throw error;
  }
}

/** What went wrong, as the last line. */
function endOf(error: unknown, call: TailCall, { settings }: QueryService): Uint8Array {
  const found = toHttpError(error, { settings, traceId: call.traceId, translate: errorTranslator(settings) });
  if (!(error instanceof HttpError) && !call.abort.signal.aborted) call.log.warn({ err: error }, 'a tail failed');
  const { code, message } = found;
  return Buffer.from(`${JSON.stringify({ error: { code, message } })}\n`);
}

/** @throws HttpError `invalid-cursor` */
function placeOf(after: string): Arrived {
  if (/^\d{1,19}$/.test(after)) return wholeBatch(BigInt(after));
  const place = parseCursor(after);
  if (place === undefined) throw httpError('invalid-cursor', {});
  return { seq: place.seq, row: place.row };
}
