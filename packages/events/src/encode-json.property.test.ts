import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nowhere, rows } from './testing/encode.js';
import { event, expectedRow, meaning } from './testing/events.js';

/** The value of a text in the overflow column; its name contains the type. */
function valueOf(name: string, text: string): unknown {
  if (name.endsWith('#i')) return BigInt(text);
  if (name.endsWith('#f')) return Number(text);
  if (name.endsWith('#b')) return text === 'true';
  return name.endsWith('#j') ? JSON.stringify(JSON.parse(text)) : text;
}

/** Equivalent JSON with white space wherever it is allowed. */
function addSpaces(value: unknown, space: string): string {
  if (Array.isArray(value))
    return `[${space}${value.map((item) => addSpaces(item, space)).join(`${space},${space}`)}${space}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}${space}:${space}${addSpaces(item, space)}`,
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
          addSpaces(events, space),
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

  test('have the double nearest to a decimal number of any length, ties to even', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 22 });
    const decimal = fc
      .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 20n }), digits)
      .map(([sign, whole, fraction]) => `${sign}${whole}.${fraction}`);
    // Half a unit in the last place, or next to it: 2^53 and more halves.
    const tie = fc
      .tuple(fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n }), fc.constantFrom('.5', '.50', '.500', '.4999', '.5001'))
      .map(([whole, fraction]) => `${whole}${fraction}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(decimal, tie), { minLength: 1, maxLength: 40 }), (numbers) => {
        const body = numbers.map((number) => `{"f":${number}}`).join('\n');
        expect(rows(body)).toEqual(numbers.map((number) => ({ 'f#f': Number(number) })));
      }),
      { numRuns: 300 },
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
