import { describe, expect, test } from 'vitest';
import type { Block } from './block.js';
import { joinBlocks } from './join.js';
import { nativeBlocks } from './native.js';
import { encode } from '../testing/encode.js';

const blockOf = (rows: number, event: (n: number) => object): Block =>
  encode(Array.from({ length: rows }, (_, n) => JSON.stringify(event(n))).join('\n')).block;

const native = (blocks: readonly Block[], blockRows = Infinity) =>
  nativeBlocks(
    blocks.map((block, n) => ({ block, seq: BigInt(n), arrival: 1n })),
    { blockRows },
  );

/** Rows of each block that was written: those of the column `_row`, which is the third. */
const rowsOf = (chunks: readonly Uint8Array[]): readonly number[] =>
  chunks.flatMap((chunk, n) => (Buffer.from(chunk).includes('\x04_row\x06UInt32') ? [chunks[n + 1]!.length / 4] : []));

const bytesOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0);

describe('blocks that would take long to join stay apart', () => {
  const repeating = blockOf(11_000, (n) => ({ s: `v${n % 20}` }));
  const unique = blockOf(10_000, (n) => ({ s: `${n} ${'x'.repeat(800)}` }));
  test('where a dictionary would take up many long texts', () => {
    expect(rowsOf(native([repeating, unique]).chunks)).toEqual([21_000]);
    const twice = blockOf(20_000, (n) => ({ s: `${n} ${'x'.repeat(800)}` }));
    const { rows, chunks } = native([repeating, repeating, twice]);
    expect(rows).toBe(42_000);
    expect(rowsOf(chunks)).toEqual([22_000, 20_000]);
    expect(chunks.includes(twice.columns.find(({ name }) => name === 's#s')!.data)).toBe(true);
  });
  test('where a long text would be written again for each of its rows', () => {
    const long = blockOf(2000, (n) => ({ s: `${n % 2}${'y'.repeat(10_000)}` }));
    const { rows, chunks } = native([long, unique]);
    expect(rows).toBe(12_000);
    expect(rowsOf(chunks)).toEqual([2000, 10_000]);
    expect(bytesOf(chunks)).toBeLessThan(10_000_000);
  });
  test('where most rows of most columns would be empty', () => {
    const empty = encode('{}'.repeat(1_000_000)).block;
    const wide = blockOf(1000, (n) => Object.fromEntries(Array.from({ length: 60 }, (_, field) => [`f${field}`, n])));
    const { rows, chunks } = native([empty, wide]);
    expect(rows).toBe(1_001_000);
    expect(rowsOf(chunks)).toEqual([1_000_000, 1000]);
    expect(bytesOf(chunks)).toBeLessThan(40_000_000);
  });
  test('and all blocks of an insert count together', () => {
    expect(rowsOf(native([repeating, unique, repeating, unique], 21_000).chunks)).toEqual([21_000, 11_000, 10_000]);
  });
});

test('texts that differ only where the hash does not look take as long to join as others', () => {
  const repeating = blockOf(71_000, (n) => ({ s: `v${n % 20}` }));
  /** CPU milliseconds for texts that differ from this byte on. */
  const timeOf = (byte: number): number => {
    const unique = blockOf(70_000, (n) => ({
      s: 'a'.repeat(byte) + String(n).padStart(6, '0') + 'a'.repeat(138 - byte),
    }));
    const begun = process.cpuUsage();
    joinBlocks([repeating, unique]);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  const seen = Math.min(timeOf(0), timeOf(0));
  expect(Math.min(timeOf(56), timeOf(56))).toBeLessThan(6 * seen);
});
