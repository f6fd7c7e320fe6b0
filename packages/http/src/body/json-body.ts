import { randomUUID } from 'node:crypto';
import { httpError } from '@millrace/api/errors';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** How large a value may be. */
interface JsonLimits {
  readonly maxDepth: number;
  /** Total of elements, properties, lists and objects. Default: unlimited. */
  readonly maxValues?: number;
  /** Per list or object. Default: unlimited. */
  readonly maxMembers?: number;
}

/**
 * Parses the JSON body of a request; `undefined` if it is empty.
 * @param exact whether integers that a number cannot represent exactly become `bigint`, if they fit
 * into 64 bits
 * @throws HttpError `invalid-json`
 */
export function readJson(body: Uint8Array | undefined, limits: JsonLimits, exact = false): unknown {
  if (body === undefined || body.byteLength === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw httpError('invalid-json', { problem: 'it is not UTF-8' });
  }
  if (text.trim() === '') return undefined;
  return parseJson(text, limits, exact, mayNameProto.test(text) ? refuseProto : undefined);
}

/**
 * Parses JSON; `exact` and `limits` are as for {@link readJson}.
 * @param look called with every property; throws to reject one
 * @param offset of the text in the body, for errors
 * @throws HttpError `invalid-json`
 */
export function parseJson(text: string, limits: JsonLimits, exact: boolean, look?: Look, offset = 0): unknown {
  checkSize(text, limits);
  try {
    const plain = JSON.parse(text, look) as unknown;
    return exact && longInteger.test(text) ? (JSON.parse(markIntegers(text), readMarks) as unknown) : plain;
  } catch (error) {
    throw error instanceof SyntaxError
      ? httpError('invalid-json', { problem: where(error.message, text.length, offset) })
      : error;
  }
}

type Look = (this: unknown, key: string, value: unknown) => unknown;

/**
 * Finds candidates for integers that a number cannot represent exactly; a match may be inside a
 * string.
 */
const longInteger = /(?:^|[[,:\s])-?\d{16}/;

/** Serializes a value as JSON; a `bigint` becomes an integer. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${mark}${member}` : member)).replaceAll(
    new RegExp(`"${mark}(-?\\d+)"`, 'g'),
    '$1',
  );

/** Prefix of integers that pass through JSON as strings. Random, so no client can send it. */
const mark = `integer ${randomUUID()} `;

/** Whether a character can be part of a number: a digit, a point, a sign, an exponent. */
const isInNumber = (char: number): boolean =>
  (char >= 0x30 && char <= 0x39) || char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === 0x2d;
/** Digits and sign of the longest number that may need a mark. */
const longestMarked = 20;

/**
 * Hand-written scanner: a regular expression that matches whole strings would take stack for each
 * escape in them.
 */
function markIntegers(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfString(text, i);
    else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = i;
      while (i + 1 < text.length && isInNumber(text.charCodeAt(i + 1))) i++;
      if (i - start >= longestMarked) continue;
      const token = text.slice(start, i + 1);
      if (!/^-?[1-9]\d{15,18}$/.test(token)) continue;
      pieces.push(text.slice(copied, start), `"${mark}${token}"`);
      copied = i + 1;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join('');
}

/** Most strings end within this many characters. */
const nearby = 32;

/**
 * The position of the quote that closes the string opened at `start`; at or after the end of the
 * text if none does.
 */
export function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (;;) {
    for (const near = Math.min(i + nearby, text.length); i < near; i++) {
      const char = text.charCodeAt(i);
      if (char === 0x22) return i;
      if (char === 0x5c) i++;
    }
    // A long string is searched many times faster than it is read here.
    const next = text.indexOf('"', i);
    if (next < 0) return text.length;
    let escapes = next;
    while (escapes > i && text.charCodeAt(escapes - 1) === 0x5c) escapes--;
    if ((next - escapes) % 2 === 0) return next;
    i = next + 1;
  }
}

function readMarks(_: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value;
  const integer = BigInt(value.slice(mark.length));
  return Number.isSafeInteger(Number(integer)) || BigInt.asIntN(64, integer) !== integer ? Number(integer) : integer;
}

/**
 * Checked first: visiting every property takes ten times as long as parsing, and hardly any text
 * has this name or an escaped character.
 */
const mayNameProto = /__proto__|\\u/;

/**
 * Rejects the key `__proto__`: code that copies properties one by one would set a prototype with
 * it.
 */
function refuseProto(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__') throw httpError('invalid-json', { problem: 'a member must not be called __proto__' });
  return value;
}

/**
 * Counts brackets and commas before anything is built, so that a body that is deep or wide costs no
 * stack, no memory and little time.
 */
function checkSize(
  text: string,
  { maxDepth, maxValues = Number.POSITIVE_INFINITY, maxMembers = Number.POSITIVE_INFINITY }: JsonLimits,
): void {
  let depth = 0;
  let values = 1;
  // Per open list or object: its commas, one fewer than its elements. Surplus closing brackets are
  // found later.
  const commas: number[] = [0];
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfString(text, i);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > maxDepth) throw httpError('invalid-json', { problem: `nesting exceeds ${maxDepth} levels` });
      values++;
      commas[depth] = 0;
    } else if (char === 0x7d || char === 0x5d) depth = Math.max(0, depth - 1);
    else if (char === 0x2c) {
      values++;
      if (++commas[depth]! >= maxMembers)
        throw httpError('invalid-json', { problem: `a list or object in it has more than ${maxMembers} members` });
    }
    if (values > maxValues) throw httpError('invalid-json', { problem: `it has more than ${maxValues} values` });
  }
}

/**
 * Extracts the position from a message of JSON.parse. Such messages may quote the body; only a
 * position and a single character are repeated, which leaks nothing.
 */
function where(message: string, length: number, offset: number): string {
  const endsEarly = 'it ends too early';
  if (message.includes('Unexpected end')) return endsEarly;
  const token = /^Unexpected token '(.)'/u.exec(message);
  const place = /at position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message);
  const what = token === null ? 'unexpected text' : `unexpected '${token[1]}'`;
  if (place === null) return offset > 0 ? `${what} in the value at position ${offset}` : what;
  const [, position, line, column] = place;
  // Where a specific token is missing, the message names it and the position after the last
  // character.
  if (Number(position) >= length) return endsEarly;
  return line === undefined || offset > 0
    ? `${what} at position ${offset + Number(position)}`
    : `${what} at line ${line}, column ${column}`;
}
