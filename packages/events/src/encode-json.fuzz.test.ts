import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMilliseconds } from './testing/cpu-time.js';
import { encode, everywhere, nowhere, rowsOf } from './testing/encode.js';
import { event, expectedRow, meaning } from './testing/events.js';
import { caseCount } from '../../../tests/support/depth.js';

/**
 * Damaged bodies: the encoder neither crashes nor hangs, reported numbers match the stored events,
 * and stored values match the sent ones. `FUZZ_RUNS=100000 FUZZ_SEED=$RANDOM npx vitest run fuzz`
 * tries more and different bodies.
 */
const runs = Number(process.env['FUZZ_RUNS'] ?? caseCount(150, 10_000));
const seed = Number(process.env['FUZZ_SEED'] ?? 7);
const settings = { numRuns: runs, seed };
const timeout = 30_000 + runs * 20;

const lineBreaks = [10, 13];
/** Characters that break JSON more often than any byte. */
const syntax = [...Buffer.from('{}[]:,"\\\'/-+.eE01u \t\n\rtfn'), 0, 0x80, 0xc3, 0xed, 0xf0, 0xff];
const anyByte = fc.oneof(fc.constantFrom(...syntax), fc.integer({ min: 0, max: 255 }));
const kind = fc.constantFrom('replace', 'remove', 'insert', 'cut', 'repeat', 'flip');

/** Changes to a text of any length: where, what, and with which byte. */
const damageOf = (byte: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(fc.nat(), kind, byte, fc.nat(12)), { minLength: 1, maxLength: 4 });

function damageBytes(text: Buffer, changes: readonly (readonly [number, string, number, number])[]): Buffer {
  let bytes = text;
  for (const [at, kind, byte, length] of changes) {
    const index = at % (bytes.length + 1);
    const [head, tail] = [bytes.subarray(0, index), bytes.subarray(index)];
    if (kind === 'cut') bytes = head;
    else if (kind === 'insert') bytes = Buffer.concat([head, Buffer.of(byte), tail]);
    else if (kind === 'repeat') bytes = Buffer.concat([head, tail.subarray(0, length), tail]);
    else if (kind === 'remove') bytes = Buffer.concat([head, tail.subarray(length)]);
    else if (tail.length > 0) {
      const flipped = kind === 'flip' ? tail[0]! ^ (1 << (byte & 7)) : byte;
      bytes = Buffer.concat([head, Buffer.of(flipped), tail.subarray(1)]);
    }
  }
  return bytes;
}

const line = event.map((item) => Buffer.from(JSON.stringify(item)));
/** A line with damage that leaves it one line. */
const brokenLine = fc
  .tuple(line, damageOf(anyByte.filter((byte) => !lineBreaks.includes(byte))))
  .map(([text, changes]) => damageBytes(text, changes))
  .filter((bytes) => !lineBreaks.some((byte) => bytes.includes(byte)));

/** The object that JSON.parse reads in a line; undefined if it is not an object. */
function objectIn(bytes: Buffer): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Names of an object as they are flattened, and how many. */
function namesIn(value: Record<string, unknown>, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? [prefix + key, ...namesIn(item as Record<string, unknown>, `${prefix}${key}.`)]
      : [prefix + key],
  );
}

/** Members of all objects in a value, those within arrays too. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, item) => sum + membersIn(item), own);
}

/**
 * Whether JSON.parse and the documented rules agree on the object: not for repeated names, and
 * reserved ones.
 */
function isComparable(text: string, value: Record<string, unknown>): boolean {
  const names = namesIn(value);
  const members = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)].filter(([, colon]) => colon !== undefined).length;
  return (
    members === membersIn(value) && new Set(names).size === names.length && !names.some((name) => name.startsWith('_'))
  );
}

/** Rows with integers as doubles, the only numbers JSON.parse knows. */
const asParsed = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(meaning(row)).map(([name, value]) => [
      name.replace(/#[if]$/, '#number'),
      typeof value === 'bigint' ? Number(value) : Object.is(value, -0) ? 0 : value,
    ]),
  );

describe('one damaged line', () => {
  test(
    'is stored as JSON.parse reads it or fails, and no other line is touched',
    () => {
      let compared = 0;
      let refused = 0;
      fc.assert(
        fc.property(brokenLine, fc.nat(3), fc.constantFrom('\n', '\r\n', '\r'), (bytes, place, lineBreak) => {
          const lines: Buffer[] = [0, 1, 2, 3].map((n) => Buffer.from(`{"keep":${n}}`));
          lines.splice(place, 0, bytes);
          const result = encode(Buffer.concat(lines.flatMap((part) => [part, Buffer.from(lineBreak)])));
          const rows = rowsOf(result);
          expect(rows).toHaveLength(result.ingested);
          const kept = rows.filter((row) => typeof row['keep#i'] === 'bigint');
          expect(kept.map((row) => row['keep#i'])).toEqual([0n, 1n, 2n, 3n]);

          const object = objectIn(bytes);
          const others = rows.filter((row) => typeof row['keep#i'] !== 'bigint');
          if (object === undefined) {
            // Several values may share a line.
            if (!/[}\]]\s*[{[]|^\s*(?:\[|$)/.test(bytes.toString('latin1'))) expect(result.failed).toBeGreaterThan(0);
            refused++;
          } else if (isComparable(bytes.toString(), object)) {
            expect([result.failed, others.map(asParsed)]).toEqual([0, [asParsed(expectedRow(object))]]);
            compared++;
          } else {
            expect([result.failed, result.ingested]).toEqual([0, 5]);
          }
        }),
        settings,
      );
      // The damage must leave neither all events valid nor all invalid.
      expect(compared).toBeGreaterThan(runs / 50);
      expect(refused).toBeGreaterThan(runs / 5);
    },
    timeout,
  );
});

describe('a damaged body', () => {
  const between = fc.constantFrom('', '\n', '\r\n', ',', ', \n  ', '][', '\0');
  const body = fc
    .tuple(fc.array(line, { maxLength: 8 }), between, fc.boolean(), damageOf(anyByte))
    .map(([parts, separator, inArray, changes]) => {
      const joined = Buffer.concat(
        parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(separator), part])),
      );
      return damageBytes(inArray ? Buffer.concat([Buffer.from('['), joined, Buffer.from(']')]) : joined, changes);
    });

  test(
    'never throws, and reports the stored values',
    () => {
      fc.assert(
        fc.property(body, fc.boolean(), fc.boolean(), (bytes, columns, withLabels) => {
          const original = Buffer.from(bytes);
          const result = encode(bytes, {
            placement: columns ? everywhere : nowhere,
            ...(withLabels && { labels: Buffer.from('{"label":"x","a":{"b":1}}') }),
          });
          expect(original.equals(bytes)).toBe(true);
          expect(result.block.rows).toBe(result.ingested);
          const rows = rowsOf(result);
          expect(rows).toHaveLength(result.ingested);
          for (const row of rows) {
            for (const [name, value] of Object.entries(row)) {
              if (name.endsWith('#j')) JSON.parse(String(value));
            }
          }
          expect(result.failures).toHaveLength(result.failed);
          const indexes = result.failures.map(({ index }) => index);
          expect(indexes).toEqual([...new Set(indexes)].toSorted((left, right) => left - right));
          for (const { index, offset, error } of result.failures) {
            expect(index).toBeLessThan(result.ingested + result.failed);
            expect(offset).toBeLessThanOrEqual(bytes.length);
            expect(error).toMatch(
              /^event \d+, line \d+, byte \d+(, in what begins in line \d+)?: expected .+, found .+/,
            );
            expect(error.startsWith(`event ${index}, `)).toBe(true);
            expect(Number(/, byte (\d+)/.exec(error)?.[1])).toBe(offset);
          }
          const values = rows.reduce((sum, row) => sum + Object.keys((row['_overflow'] ?? row) as object).length, 0);
          expect(result.uses.reduce((sum, use) => sum + use.count, 0)).toBe(values);
        }),
        settings,
      );
    },
    timeout,
  );

  test(
    'is read the same way whatever was read before',
    () => {
      fc.assert(
        fc.property(body, (bytes) => {
          const shape = ({ failures, ...result }: ReturnType<typeof encode>) => [
            rowsOf({ failures, ...result }),
            failures,
          ];
          expect(shape(encode(bytes))).toEqual(shape(encode(bytes)));
        }),
        { ...settings, numRuns: Math.ceil(runs / 4) },
      );
    },
    timeout,
  );

  test(
    'takes time in proportion to its length',
    () => {
      let spent = 0;
      let read = 0;
      fc.assert(
        fc.property(body, (bytes) => {
          const many = Buffer.concat(Array.from({ length: Math.ceil(20_000 / (bytes.length + 1)) }, () => bytes));
          read += many.length;
          spent += cpuMilliseconds(() => encode(many));
        }),
        { ...settings, numRuns: Math.ceil(runs / 10) },
      );
      // A hundred times slower than any real machine; quadratic time would be far beyond.
      expect(spent).toBeLessThan(1000 + read / 200);
    },
    timeout,
  );

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
