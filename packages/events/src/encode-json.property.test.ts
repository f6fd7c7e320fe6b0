import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encode, nowhere, rows, rowsOf } from './testing/encode.js';
import type { Row } from './testing/read-block.js';

/** Text as stored: lone surrogates become U+FFFD. */
const wellFormed = (text: string) => Buffer.from(text).toString();

/** The rows JSON.parse would give, by the documented rules; for events without duplicate names. */
function expectedRow(event: Record<string, unknown>): Row {
  const row: Row = {};
  const put = (name: string, mark: string, value: unknown) => {
    for (const other of 'ifsbj') delete row[`${name}#${other}`];
    if (value === null) return;
    Object.defineProperty(row, `${name}#${mark}`, { value, enumerable: true, configurable: true });
  };
  const visit = (object: object, prefix: string) => {
    for (const [key, value] of Object.entries(object)) {
      const name = prefix + wellFormed(key);
      if (value === null) put(name, 's', null);
      else if (typeof value === 'string') put(name, 's', wellFormed(value));
      else if (typeof value === 'boolean') put(name, 'b', value);
      else if (typeof value === 'number') {
        const text = JSON.stringify(value);
        if (/^-?\d+$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text))) put(name, 'i', BigInt(text));
        else put(name, 'f', value);
      } else if (Array.isArray(value)) put(name, 'j', wellFormedJson(value));
      else if (Object.keys(value).length === 0) put(name, 'j', '{}');
      else visit(value, `${name}.`);
    }
  };
  visit(event, '');
  return row;
}

/** What an array's text means, for comparison with what was stored. */
const wellFormedJson = (value: unknown) => JSON.stringify(JSON.parse(JSON.stringify(value)), stringsWellFormed);

function stringsWellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), item]));
}

/** The value a text of the overflow column stands for; its name tells the type. */
function valueOf(name: string, text: string): unknown {
  if (name.endsWith('#i')) return BigInt(text);
  if (name.endsWith('#f')) return Number(text);
  if (name.endsWith('#b')) return text === 'true';
  return name.endsWith('#j') ? JSON.stringify(JSON.parse(text)) : text;
}

function meaning(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    return [name, name.endsWith('#j') ? JSON.stringify(JSON.parse(String(value))) : value] as const;
  });
  return Object.fromEntries(entries);
}

const key = fc
  .oneof(fc.constantFrom('a', 'b', 'c', 'a.b', '', 'status', 'message'), fc.string({ unit: 'binary', maxLength: 12 }))
  .filter((name) => !name.startsWith('_'));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ minLength: 100, maxLength: 300 }),
  fc.constantFrom('GET', 'POST', '\ud800', 'x\udc00y', '\0', '"\\\n'),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));
const event = fc.dictionary(key, anyValue, { maxKeys: 8, noNullPrototype: true });

/** The same JSON with white space wherever it may be. */
function spaced(value: unknown, space: string): string {
  if (Array.isArray(value))
    return `[${space}${value.map((item) => spaced(item, space)).join(`${space},${space}`)}${space}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}${space}:${space}${spaced(item, space)}`,
  );
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

describe('valid events', () => {
  test('come back as JSON.parse reads them, in every form of body', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.constantFrom('', ' ', '\n', '\r\n', '\t '), (events, space) => {
        const texts = events.map((item) => JSON.stringify(item));
        const expected = events.map((item) => meaning(expectedRow(item)));
        for (const body of [
          texts.join('\n'),
          texts.join('\r\n') + '\r\n',
          texts.join(''),
          `[${texts.join(',')}]`,
          spaced(events, space),
        ]) {
          expect(rows(body).map(meaning)).toEqual(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('hold the same values in the overflow column', () => {
    fc.assert(
      fc.property(event, (item) => {
        const [row] = rows(JSON.stringify(item), { placement: nowhere });
        const overflow = (row!['_overflow'] ?? {}) as Record<string, string>;
        const got = Object.entries(overflow).map(([name, text]) => [name, valueOf(name, text)] as const);
        expect(new Map(got)).toEqual(new Map(Object.entries(expectedRow(item))));
      }),
      { numRuns: 200 },
    );
  });

  test('keep every integer of 64 bits and every double', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (integer, double) => {
          const float = /[.e]/.test(String(double)) ? String(double) : `${double}.0`;
          const [row] = rows(`{"i":${integer},"f":${float}}`);
          expect(row!['i#i']).toBe(integer);
          expect(row!['f#f']).toBe(Number(float));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('round decimal numbers as JSON.parse does', () => {
    const decimal = fc.tuple(
      fc.constantFrom('', '-'),
      fc.bigInt({ min: 0n, max: 10n ** 25n }),
      fc.stringMatching(/^\d{1,20}$/),
      fc.integer({ min: -340, max: 320 }),
    );
    fc.assert(
      fc.property(decimal, ([sign, whole, fraction, exponent]) => {
        for (const text of [
          `${sign}${whole}.${fraction}`,
          `${sign}${whole}e${exponent}`,
          `${sign}${whole}.${fraction}E${exponent}`,
        ]) {
          const value = JSON.parse(text) as number;
          expect(rows(`{"f":${text}}`)).toEqual(Number.isFinite(value) ? [{ 'f#f': value }] : [{}]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('broken bytes', () => {
  const line = event.map((item) => JSON.stringify(item));
  /** Damage that keeps a line a line: bytes replaced, removed or put in. */
  const damage = fc.array(
    fc.tuple(
      fc.nat(),
      fc.constantFrom('replace', 'remove', 'insert', 'cut'),
      fc.integer({ min: 0, max: 255 }).filter((byte) => byte !== 10 && byte !== 13),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const broken = fc.tuple(line, damage).map(([text, changes]) => {
    let bytes = [...Buffer.from(text)];
    for (const [at, kind, byte] of changes) {
      const index = at % (bytes.length + 1);
      if (kind === 'cut') bytes = bytes.slice(0, index);
      else if (kind === 'insert') bytes.splice(index, 0, byte);
      else if (index < bytes.length) bytes.splice(index, 1, ...(kind === 'replace' ? [byte] : []));
    }
    return Buffer.from(bytes);
  });

  // One, because two broken lines may be the halves of an object that spans the lines between them.
  test('in one line lose no other line', () => {
    fc.assert(
      fc.property(broken, fc.nat(3), fc.constantFrom('\n', '\r\n'), (damaged, place, lineBreak) => {
        const lines = [0, 1, 2, 3].map((n) => Buffer.from(`{"keep":${n}}`));
        lines.splice(place, 0, damaged);
        const result = encode(Buffer.concat(lines.flatMap((line) => [line, Buffer.from(lineBreak)])));
        expect(rowsOf(result).flatMap((row) => row['keep#i'] ?? [])).toEqual([0n, 1n, 2n, 3n]);
        expect(result.ingested).toBe(result.block.rows);
      }),
      { numRuns: 1000 },
    );
  });

  test('never throw, and every row that is stored can be read', () => {
    fc.assert(
      fc.property(
        fc.array(broken, { maxLength: 4 }),
        fc.constantFrom('', '\n', ','),
        fc.boolean(),
        (parts, between, inArray) => {
          const joined = Buffer.concat(parts.flatMap((bytes) => [Buffer.from(between), bytes]));
          const result = encode(inArray ? Buffer.concat([Buffer.from('['), joined, Buffer.from(']')]) : joined);
          expect(rowsOf(result)).toHaveLength(result.ingested);
          expect(result.failures).toHaveLength(result.failed);
          for (const { offset } of result.failures) expect(offset).toBeLessThanOrEqual(joined.length + 2);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('cut anywhere, a body keeps the lines before the cut', () => {
    const body = Buffer.from(Array.from({ length: 20 }, (_, n) => `{"keep":${n},"o":{"t":["é",${n}.5]}}`).join('\n'));
    for (let end = 0; end <= body.length; end++) {
      const whole = body.subarray(0, end).toString('latin1').split('}}').length - 1;
      const result = encode(body.subarray(0, end));
      expect(result.ingested).toBe(whole);
      expect(rowsOf(result).map((row) => row['keep#i'])).toEqual(Array.from({ length: whole }, (_, n) => BigInt(n)));
    }
  });
});
