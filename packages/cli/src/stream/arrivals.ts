import { setTimeout as sleep } from 'node:timers/promises';
import { membersOf } from '../result/json-text.js';
import { bodyOf } from '../connection/body.js';
import { AnswerError, type Client, ConnectionError } from '../connection/client.js';
import { withRetries } from '../connection/retry.js';
import { Failure } from '../failure.js';
import { type FollowedEvent, type FollowOptions, quotedName } from './follow.js';

/**
 * Follows a dataset in order of arrival, whatever the timestamps. A Millrace server returns the
 * position of each event, where the next request resumes after an interruption.
 */

type ArrivalsOptions = Omit<FollowOptions, 'start'> & {
  /** Starts with past events from this time, in time order; without it, with new ones. */
  readonly start: string | undefined;
};

/** Consecutive requests that may be interrupted without an event. */
const attempts = 20;

/** Whether the server lacks the route, as opposed to the dataset. */
export const doesNotTail = (error: unknown): boolean =>
  error instanceof AnswerError && [404, 405, 501].includes(error.status) && error.reason !== 'dataset-not-found';

/**
 * Follows until the caller stops reading.
 * @throws AnswerError; ConnectionError when the server stays unreachable
 */
export async function* arrivals(options: ArrivalsOptions): AsyncGenerator<FollowedEvent> {
  let after: string | undefined;
  if (options.start !== undefined) {
    // The watermark separates past events from new ones without a gap.
    after = await settledNow(options);
    yield* past(options, options.start, after);
  }
  const ask = () => options.client.send('tail', tailOf(options, after));
  for (;;) {
    yield* readLines(options, ask, (line) => {
      after = textOf(line, 'cursor') ?? textOf(line, 'settled') ?? after;
      return eventOf(line, options.client);
    });
    // Responses end after a while; the next request continues.
    await sleep(options.interval);
  }
}

/** Events up to a position, oldest first. */
async function* past(options: ArrivalsOptions, start: string, asOf: string): AsyncGenerator<FollowedEvent> {
  const apl = `${quotedName(options.dataset)} | sort by _time asc`;
  let cursor: string | undefined;
  const ask = () =>
    options.client.send('export', {
      // With a cursor no start is needed, and a relative one would have moved.
      body: { apl, asOf, includeCursorField: true, ...(cursor === undefined ? { startTime: start } : { cursor }) },
    });
  yield* readLines(options, ask, (line) => {
    cursor = textOf(line, '_cursor');
    return timeFirst(new Map([...line].filter(([name]) => name !== '_cursor')));
  });
}

/** The server's current watermark. */
async function settledNow(options: ArrivalsOptions): Promise<string> {
  const ask = () => options.client.send('tail', tailOf(options, undefined));
  for await (const position of readLines(options, ask, (line) => textOf(line, 'settled'))) return position;
  throw unreadable();
}

const tailOf = ({ dataset }: ArrivalsOptions, after: string | undefined) => ({
  body: { apl: quotedName(dataset), ...(after !== undefined && { after }) },
});

type Line = ReadonlyMap<string, string>;

/**
 * Values from the lines of responses. An interrupted response is requested again from where it
 * ended.
 */
async function* readLines<T>(
  { client, pausing, interval }: ArrivalsOptions,
  ask: () => Promise<Response>,
  read: (line: Line) => T | undefined,
): AsyncGenerator<T> {
  for (let fruitless = 0; ;) {
    const answer = await withRetries(ask, { attempts, pausing });
    try {
      for await (const line of linesOf(bodyOf(client, answer))) {
        const value = read(line);
        fruitless = 0;
        if (value !== undefined) yield value;
      }
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError) || ++fruitless >= attempts) throw error;
      pausing(error);
    }
    await sleep(interval);
  }
}

/** @throws Failure for a line that is not an object */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) yield membersIn(text);
  }
}

/** Event of a line. @throws ConnectionError for the line that explains why the response ends */
function eventOf(line: Line, { url }: Client): FollowedEvent | undefined {
  const [event, error] = [line.get('event'), line.get('error')];
  // The response to the next request says whether a retry helps.
  if (error !== undefined)
    throw new ConnectionError(`${url} ended its answer: ${textOf(membersIn(error), 'message') ?? error}`, undefined);
  return event === undefined ? undefined : timeFirst(membersIn(event));
}

const timeFirst = (event: Line): FollowedEvent => new Map([['_time', event.get('_time') ?? 'null'], ...event]);

function textOf(line: Line, name: string): string | undefined {
  const text = line.get(name);
  return text === undefined ? undefined : String(JSON.parse(text));
}

function membersIn(text: string): Line {
  try {
    return membersOf(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(error);
    throw error;
  }
}

const unreadable = (cause?: unknown): Failure =>
  new Failure('failed', 'the server sent lines that are not as they should be; is it the right URL?', { cause });
