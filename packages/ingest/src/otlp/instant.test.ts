import { formatRfc3339 } from '@millrace/timestamps';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareInstants,
  instantOf,
  instantOfHalves,
  nanosecondsOf,
  writeDuration,
  writeNanoseconds,
  writeRfc3339,
} from './instant.js';
import { JsonBytes } from '../bytes/json-bytes.js';

const writeText = (write: (out: JsonBytes) => void): string => {
  const out = new JsonBytes(0, 1 << 20, () => new Error('too many'));
  write(out);
  return out.writtenBytes().toString();
};

const time = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 10n ** 10n }),
  fc.constantFrom(0n, 10n ** 9n - 1n, 10n ** 9n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n),
);

test('all 64 bits are read, and written as digits and as RFC 3339', () =>
  fc.assert(
    fc.property(time, (at) => {
      const instant = instantOfHalves(Number(at >> 32n), Number(at & 0xffff_ffffn));
      expect(instant).toEqual(instantOf(at));
      expect(writeText((out) => writeNanoseconds(out, instant))).toBe(String(at));
      expect(writeText((out) => writeRfc3339(out, instant))).toBe(`"${formatRfc3339(at)}"`);
    }),
    { numRuns: 1000 },
  ));

test('accepts values between two times, in either order', () =>
  fc.assert(
    fc.property(time, time, (start, end) => {
      const [from, to] = [instantOf(start), instantOf(end)];
      expect(Math.sign(compareInstants(to, from))).toBe(end < start ? -1 : end > start ? 1 : 0);
      expect(writeText((out) => writeDuration(out, from, to))).toBe(String(end - start));
    }),
    { numRuns: 1000 },
  ));

test('a bigint and back', () => expect(nanosecondsOf(instantOf(2n ** 63n - 1n))).toBe(2n ** 63n - 1n));
