import { Breath } from '../../async/breath.js';
import { type Answer, bytes } from '../route.js';

/** A list that comes in pieces, because it may be longer than anybody should hold. */
type InPieces = AsyncIterable<readonly unknown[]>;

/** Answers up to this size have a length, and are sent at once. */
const smallLength = 64 * 1024;

/**
 * Answers with a JSON value in which lists may come in pieces. A long one is sent at the pace of
 * its reader.
 */
export const jsonInPieces = (value: unknown): Promise<Answer> => inPieces(textsOf(value));

/**
 * The same for a list that comes some elements at a time.
 * @param textOf an element as JSON
 */
export const listInPieces = <T>(list: AsyncIterable<readonly T[]>, textOf: (element: T) => string): Promise<Answer> =>
  inPieces(textsOfList(list, textOf));

/**
 * The same for a list that is there already, whose length others decide: it becomes text some
 * elements at a time.
 */
export const longList = (list: readonly unknown[]): Promise<Answer> => listInPieces(oneByOne(list), JSON.stringify);

async function* oneByOne<T>(list: readonly T[]): AsyncGenerator<readonly [T]> {
  for (const each of list) yield [each];
}

async function inPieces(parts: AsyncIterable<string>): Promise<Answer> {
  const texts = gathered(parts);
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

/** Texts of some length instead of short ones. */
async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const breath = new Breath();
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < smallLength) continue;
    yield waiting;
    waiting = '';
    await breath.take();
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
