import { expect, test } from 'vitest';
import { DescribedSeries, describedKey, isDescribed } from './described-series.js';

test('keys that were added are found, also in a table that grew', () => {
  const described = new DescribedSeries();
  const keys = BigInt64Array.from({ length: 10_000 }, (_, i) => describedKey(BigInt(i) << 32n, 20_000));
  described.add(keys);
  for (const key of keys) expect(isDescribed(described.table, key)).toBe(true);
  expect(isDescribed(described.table, describedKey(0n, 20_001))).toBe(false);
});

test('the table of a batch in progress stays valid while it grows', () => {
  const described = new DescribedSeries();
  const { table } = described;
  described.add(BigInt64Array.of(5n));
  expect(isDescribed(table, 5n)).toBe(true);
  described.add(BigInt64Array.from({ length: 5000 }, (_, i) => BigInt(i + 10)));
  expect(isDescribed(table, 5n)).toBe(true);
  expect(described.table.keys).not.toBe(table.keys);
});

test('a full table starts again', () => {
  const described = new DescribedSeries();
  described.add(BigInt64Array.from({ length: 2 ** 19 + 1 }, (_, i) => BigInt(i + 1)));
  expect(described.table.keys.length).toBe(4096);
  expect(isDescribed(described.table, BigInt(2 ** 19 + 1))).toBe(true);
  expect(isDescribed(described.table, 1n)).toBe(false);
});
