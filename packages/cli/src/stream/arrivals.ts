import { setTimeout as sleep } from 'node:timers/promises';
import { membersOf } from '../answer/json-text.js';
import { bodyOf } from '../connection/body.js';
import { AnswerError, type Client, ConnectionError } from '../connection/client.js';
import { retried } from '../connection/retry.js';
import { Failure } from '../failure.js';
import { type FollowedEvent, type FollowOptions, quotedName } from './follow.js';

/**
 * The events of a dataset in the order of their arrival, however early they are dated. A server of
 * this project tells each event's place in that order, from which the next request goes on when one
 * breaks off.
 */

type ArrivalsOptions = Omit<FollowOptions, 'start'> & {
  /**
   * Begins with the events dated since then, in the order of their time; from now on if left out.
   */
  readonly start: string | undefined;
};

/** So many requests in a row may break off without having told anything. */
const attempts = 20;

/** Whether a server answered that it has no such route, and not that it has no such dataset. */
export const doesNotTail = (error: unknown): boolean =>
  error instanceof AnswerError && [404, 405, 501].includes(error.status) && error.reason !== 'dataset-not-found';

/**
 * Follows a dataset for as long as its caller reads.
 * @throws AnswerError; ConnectionError when the server stays unreachable
 */
export async function* arrivals(options: ArrivalsOptions): AsyncGenerator<FollowedEvent> {
  let after: string | undefined;
  if (options.start !== undefined) {
    // What is there belongs to the past, and what arrives behind this position comes after it:
    // nothing is between them.
    after = await settledNow(options);
    yield* past(options, options.start, after);
  }
  const ask = () => options.client.send('tail', tailOf(options, after));
  for (;;) {
    yield* told(options, ask, (line) => {
      after = textOf(line, 'cursor') ?? textOf(line, 'settled') ?? after;
      return eventOf(line, options.client);
    });
    // It is over after a while, to be asked for again.
    await sleep(options.interval);
  }
}

/** The events up to a position, the oldest first. */
async function* past(options: ArrivalsOptions, start: string, asOf: string): AsyncGenerator<FollowedEvent> {
  const apl = `${quotedName(options.dataset)} | sort by _time asc`;
  let cursor: string | undefined;
  const ask = () =>
    options.client.send('export', {
      // Behind a cursor there are later events only, and a relative start would have moved.
      body: { apl, asOf, includeCursorField: true, ...(cursor === undefined ? { startTime: start } : { cursor }) },
    });
  yield* told(options, ask, (line) => {
    cursor = textOf(line, '_cursor');
    return timeFirst(new Map([...line].filter(([name]) => name !== '_cursor')));
  });
}

/** The position up to which the server has everything now. */
async function settledNow(options: ArrivalsOptions): Promise<string> {
  const ask = () => options.client.send('tail', tailOf(options, undefined));
  for await (const settled of told(options, ask, (line) => textOf(line, 'settled'))) return settled;
  throw unreadable();
}

const tailOf = ({ dataset }: ArrivalsOptions, after: string | undefined) => ({
  body: { apl: quotedName(dataset), ...(after !== undefined && { after }) },
});

type Line = ReadonlyMap<string, string>;

/**
 * What the lines of an answer tell. When it breaks off it is asked for again, by then for what is
 * still missing.
 */
async function* told<T>(
  { client, pausing, interval }: ArrivalsOptions,
  ask: () => Promise<Response>,
  read: (line: Line) => T | undefined,
): AsyncGenerator<T> {
  for (let fruitless = 0; ;) {
    const answer = await retried(ask, { attempts, pausing });
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

/** @throws Failure for a line that is no object */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) yield membersIn(text);
  }
}

/**
 * The event that a line is about. @throws ConnectionError for the line that says why there are no
 * more
 */
function eventOf(line: Line, { url }: Client): FollowedEvent | undefined {
  const [event, error] = [line.get('event'), line.get('error')];
  // Whether asking again helps, the answer to that says.
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
