import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../canonical-json.js';
import {
  acceptedInputs,
  acceptedNames,
  brokenBytes,
  repeatedNames,
  type StoredValue,
} from '../testing/corpus/accepted-inputs.js';
import { type RejectedEvent, rejectedEvents, refusedUnbalanced } from '../testing/corpus/rejected-events.js';
import { encode, rows, rowsOf } from '../testing/encode.js';

/**
 * RFC 8259, case by case: accepted values are stored exactly, rejected events fail alone with a
 * position and a reason.
 */

/** Checks that the body has exactly these rows. */
function checkRows(body: string | Uint8Array, expected: readonly Readonly<Record<string, unknown>>[]): void {
  expect(rows(body)).toEqual(expected);
}

const columns = (name: string, [mark, value]: StoredValue): Record<string, unknown> =>
  mark === undefined ? {} : { [`${name}#${mark}`]: mark === 'j' ? canonicalJson(String(value)) : value };

/**
 * The result of JSON.parse for a value, in its stored form; numbers only as numbers, because
 * JSON.parse does not distinguish their types.
 */
function parseStored(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'object' && value !== null ? 'text' : value;
}

/**
 * The equivalent of a stored value. An integer beyond 2⁵³ keeps digits that JSON.parse loses; `-0`
 * is 0.
 */
function meaning(text: string, [mark, value]: StoredValue): unknown {
  if (mark === undefined) return null;
  if (mark === 'i') return text.trim() === '-0' ? -0 : Number(value);
  // Unsigned integers of 64 bits are strings.
  if (mark === 's' && /^\d/.test(text.trim())) return Number(value);
  return mark === 'j' ? 'text' : value;
}

for (const [name, cases] of Object.entries(acceptedInputs)) {
  describe(`accepted: ${name}`, () => {
    test.each(cases.map((entry) => ({ entry })))('$entry.0', ({ entry }) => {
      const [sent, stored, inArray = canonicalJson(sent)] = entry;
      expect(parseStored(sent)).toBe(meaning(sent, stored));
      const around = [`{"n":1}`, `{"n":2}`] as const;
      const neighbors = [{ 'n#i': 1n }, { 'n#i': 2n }] as const;
      const check = (event: string, row: Record<string, unknown>): void => {
        const expected = [neighbors[0], row, neighbors[1]];
        checkRows(`${around[0]}\n${event}\n${around[1]}\n`, expected);
        checkRows(`[${around[0]},${event},${around[1]}]`, expected);
      };
      check(`{"a":${sent}}`, columns('a', stored));
      check(`{"k":1,"a":${sent},"z":true}`, { 'k#i': 1n, ...columns('a', stored), 'z#b': true });
      check(`{"o":{"a":${sent}}}`, columns('o.a', stored));
      check(`{"a":[0,${sent.trim()}]}`, { 'a#j': `[0,${inArray}]` });
      check(`{"a":[{"b":${sent.trim()}}]}`, { 'a#j': `[{"b":${inArray}}]` });
    });
  });
}

describe('accepted: names', () => {
  test.each(acceptedNames)('%s', (sent, row) => {
    expect(JSON.parse(sent)).toBeTypeOf('object');
    checkRows(`{"n":1}\n${sent}\n{"n":2}`, [{ 'n#i': 1n }, row, { 'n#i': 2n }]);
  });
});

describe('accepted: names that come twice', () => {
  test.each(repeatedNames)('%s', (sent, row) => {
    expect(() => JSON.parse(sent)).not.toThrow();
    // Twice, because an event's order of names is used for the next one.
    checkRows(`${sent}\n${sent}\n{"n":2}`, [row, row, { 'n#i': 2n }]);
  });
});

describe('accepted: bytes that are not UTF-8', () => {
  test.each(brokenBytes)('%s', (hex, text) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(text);
    const event = (before: string, after: string) => Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
    checkRows(event('{"a":"', '"}\n{"n":2}'), [{ 'a#s': text }, { 'n#i': 2n }]);
    checkRows(event('{"a":"long enough, é, ', ' and more behind it"}'), [
      { 'a#s': `long enough, é, ${text} and more behind it` },
    ]);
    checkRows(event('{"a":["', '"]}'), [{ 'a#j': `["${text}"]` }]);
    checkRows(event('{"', '":1}'), [{ [`${text}#i`]: 1n }]);
  });
});

const before = '{"n":1}';

/** As the line between two others the event fails alone, at this byte. */
function checkLine([event, at, expected]: RejectedEvent): void {
  const body = `${before}\n${event}\n{"n":2}\n`;
  const result = encode(body);
  expect(rowsOf(result)).toEqual([{ 'n#i': 1n }, { 'n#i': 2n }]);
  expect(result.failed).toBe(1);
  const [failure] = result.failures;
  const offset = before.length + 1 + at;
  expect(failure).toMatchObject({ index: 1, offset });
  const line = Buffer.from(body).subarray(0, offset).toString('latin1').split('\n').length;
  const begins = line === 2 ? '' : ', in what begins in line 2';
  expect(failure!.error).toContain(`event 1, line ${line}, byte ${offset}${begins}: expected ${expected}, found `);
}

/** JSON.parse rejects it too, or it is valid but not an object. */
function checkWithParser(event: string): void {
  let value: unknown;
  try {
    value = JSON.parse(event);
  } catch {
    return;
  }
  expect(typeof value === 'object' && value !== null).toBe(false);
}

for (const [name, cases] of Object.entries(rejectedEvents)) {
  describe(`refused: ${name}`, () => {
    test.each(cases.map((entry) => ({ entry })))('$entry.0', ({ entry }) => {
      const [event, , expected] = entry;
      checkWithParser(event);
      checkLine(entry);
      const result = encode(`[${before},${event},{"n":2}]`);
      expect(rowsOf(result)).toEqual([{ 'n#i': 1n }, { 'n#i': 2n }]);
      expect([result.failed, result.failures[0]!.index]).toEqual([1, 1]);
      expect(result.failures[0]!.error).toContain(`: expected ${expected}, found `);
    });
  });
}

for (const [name, cases] of Object.entries(refusedUnbalanced)) {
  describe(`refused, unbalanced: ${name}`, () => {
    test.each(cases.map((entry) => ({ entry })))('$entry.0', ({ entry }) => {
      checkWithParser(entry[0]);
      checkLine(entry);
      const result = encode(`[${before},${entry[0]},{"n":2}]`);
      expect(rowsOf(result)[0]).toEqual({ 'n#i': 1n });
      expect(result.failed).toBeGreaterThan(0);
      expect(result.failures).toHaveLength(result.failed);
    });
  });
}

describe('bodies', () => {
  test('a byte order mark is allowed before the first event only', () => {
    checkRows('\ufeff{"a":1}', [{ 'a#i': 1n }]);
    checkRows('\ufeff[{"a":1}]', [{ 'a#i': 1n }]);
    const { ingested, failures } = encode('{"a":1}\n\ufeff{"a":2}\n{"a":3}');
    expect([ingested, failures.map(({ index, offset }) => [index, offset])]).toEqual([2, [[1, 8]]]);
  });
  test('what stands behind an event on its line fails, the event does not', () => {
    for (const behind of ['}', ']', 'x', ' garbage', '"', '{', '0', '\0', '// x', '\ufeff']) {
      const result = encode(`{"n":1}\n{"n":2}${behind}\n{"n":3}`);
      expect(rowsOf(result)).toEqual([{ 'n#i': 1n }, { 'n#i': 2n }, { 'n#i': 3n }]);
      expect(result.failures.map(({ index }) => index)).toEqual([2]);
    }
  });
  test('a last line that was cut fails at the end of the body, wherever it was cut', () => {
    const line = String.raw`{"a":[1,{"b":"é\n\ud83d\ude00"}],"c":-1.5e-3,"d":true,"e":null}`;
    const bytes = Buffer.from(line);
    for (let cut = 1; cut < bytes.length; cut++) {
      const body = Buffer.concat([Buffer.from('{"n":1}\n'), bytes.subarray(0, cut)]);
      const { ingested, failed, failures } = encode(body);
      expect([ingested, failed, failures[0]!.index]).toEqual([1, 1, 1]);
      // The position of an invalid escape is where its digits begin.
      expect(failures[0]!.offset).toBeGreaterThan(body.length - 6);
      expect(failures[0]!.offset).toBeLessThanOrEqual(body.length);
    }
  });
});
