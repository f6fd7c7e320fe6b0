import type { NativeBlocks } from '@millrace/events';
import { expect, test } from 'vitest';
import { rowsPerPart } from './rows-per-part.js';

const mebibyte = 2 ** 20;
const blocks = (columns: number, rows: number, bytes = mebibyte): NativeBlocks => ({
  columns: Array.from({ length: columns }, (_, i) => ({ name: `c${i}#s`, type: 'Nullable(String)' })),
  rows,
  chunks: [new Uint8Array(bytes / 2), new Uint8Array(bytes / 2)],
});

test('an insert is one part, unless it has many columns and many rows', () => {
  expect(rowsPerPart(blocks(99, 1_000_000), false)).toEqual({});
  expect(rowsPerPart(blocks(100, 28_000), false)).toEqual({});
  expect(rowsPerPart(blocks(100, 28_001), false)).toEqual({ rowsPerPart: 14_001 });
  expect(rowsPerPart(blocks(300, 80_000), false)).toEqual({ rowsPerPart: 26_667 });
});

test('a large insert that somebody waits for is two parts, so that both cores work on it', () => {
  expect(rowsPerPart(blocks(5, 1000, 12 * mebibyte), true)).toEqual({ rowsPerPart: 500 });
  expect(rowsPerPart(blocks(5, 1000, 12 * mebibyte), false)).toEqual({});
  expect(rowsPerPart(blocks(5, 1000, 11 * mebibyte), true)).toEqual({});
  expect(rowsPerPart(blocks(300, 80_000, 12 * mebibyte), true)).toEqual({ rowsPerPart: 26_667 });
});
