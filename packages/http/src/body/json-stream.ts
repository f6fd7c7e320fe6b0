import { Yielder } from '@millrace/runtime/async/yield';
import { type RouteResponse, bytes } from '../route.js';

/** A list in chunks, because it may be too long to hold in memory. */
type InPieces = AsyncIterable<readonly unknown[]>;

/** Responses up to this size are buffered and have a length. */
const smallLength = 64 * 1024;

/**
 * Responds with a JSON value that may contain chunked lists. A long response is sent with
 * backpressure.
 */
export const jsonInPieces = (value: unknown): Promise<RouteResponse> => inPieces(textsOf(value));

/**
 * Streams a list that arrives in chunks of elements as a JSON response.
 * @param textOf serializes an element
 */
export const listInPieces = <T>(
  list: AsyncIterable<readonly T[]>,
  textOf: (element: T) => string,
): Promise<RouteResponse> => inPieces(textsOfList(list, textOf));

/** Streams an existing list of unbounded length as a JSON response, serialized in chunks. */
export const longList = (list: readonly unknown[]): Promise<RouteResponse> =>
  listInPieces(oneByOne(list), JSON.stringify);

async function* oneByOne<T>(list: readonly T[]): AsyncGenerator<readonly [T]> {
  for (const each of list) yield [each];
}

async function inPieces(parts: AsyncIterable<string>): Promise<RouteResponse> {
  const texts = gatherTexts(parts);
  const first = await texts.next();
  if (first.done === true) return bytes('', mediaType);
  const second = await texts.next();
  if (second.done === true) return bytes(first.value, mediaType);
  return bytes(
    (async function* () {
      yield Buffer.from(first.value);
      yield Buffer.from(second.value);
      for await (const text of texts) yield Buffer.from(text);
    })(),
    mediaType,
  );
}

const mediaType = 'application/json; charset=utf-8';

/** Combines short texts into longer chunks. */
async function* gatherTexts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const yielder = new Yielder();
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < smallLength) continue;
    yield waiting;
    waiting = '';
    await yielder.maybeYield();
  }
  if (waiting !== '') yield waiting;
}

async function* textsOf(value: unknown): AsyncGenerator<string> {
  if (isInPieces(value)) yield* textsOfList(value, JSON.stringify);
  else if (Array.isArray(value)) {
    let before = '[';
    for (const each of value) {
      yield before;
      yield* textsOf(each);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* textsOf(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

async function* textsOfList<T>(
  list: AsyncIterable<readonly T[]>,
  textOf: (element: T) => string,
): AsyncGenerator<string> {
  let before = '[';
  for await (const some of list) {
    if (some.length === 0) continue;
    yield before + some.map((each) => textOf(each)).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

const isInPieces = (value: unknown): value is InPieces =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
