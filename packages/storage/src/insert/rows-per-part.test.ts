import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { expect, test } from 'vitest';
import { rowsPerPart, sizeOf } from './rows-per-part.js';

const mebibyte = 2 ** 20;
const size = (columns: number, rows: number, bytes = mebibyte) => ({ columns, rows, bytes });
test('an insert is one part, unless it has many columns and many rows', () => {
  expect(rowsPerPart(size(99, 1_000_000), false)).toBeUndefined();
  expect(rowsPerPart(size(100, 28_000), false)).toBeUndefined();
  expect(rowsPerPart(size(100, 28_001), false)).toBe(14_001);
  expect(rowsPerPart(size(300, 80_000), false)).toBe(26_667);
});

test('a large urgent insert is split in two, so that both cores work on it', () => {
  expect(rowsPerPart(size(5, 1000, 12 * mebibyte), true)).toBe(500);
  expect(rowsPerPart(size(5, 1000, 12 * mebibyte), false)).toBeUndefined();
  expect(rowsPerPart(size(5, 1000, 11 * mebibyte), true)).toBeUndefined();
  expect(rowsPerPart(size(300, 80_000, 12 * mebibyte), true)).toBe(26_667);
});

test('the size of an insert counts the columns of all batches once', () => {
  const batch = (body: string) => {
    const place = ({ uses }: { readonly uses: readonly unknown[] }) => uses.map(() => true);
    const { block } = encodeJson(Buffer.from(body), {
      arrivalTime: 1n,
      mapFields: new Set(),
      placement: { place },
      limits: DEFAULT_LIMITS,
    });
    return { block, bytes: body.length };
  };
  expect(sizeOf([batch('{"a":1,"b":2}'), batch('{"b":3,"c":"x"}{"a":1}')])).toEqual({ columns: 4, rows: 3, bytes: 35 });
});
