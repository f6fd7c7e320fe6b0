import { deserializeBlock, serializeBlock } from '@millrace/events';
import { expect, it } from 'vitest';
import { releaseBlocks } from './release-blocks.js';

const rows = 100_000;
const bytes = serializeBlock({
  rows,
  columns: [{ name: 'n#b', type: 'Nullable(Bool)', data: new Uint8Array(2 * rows) }],
});

it('frees the memory of a block that owns all of it', () => {
  const block = deserializeBlock(bytes.slice());
  releaseBlocks([{ block }]);
  expect(block.serialized?.byteLength).toBe(0);
  expect(block.columns[0]?.data.byteLength).toBe(0);
});

it('leaves memory that others may share', () => {
  const larger = new Uint8Array(bytes.length + 1);
  larger.set(bytes, 1);
  const block = deserializeBlock(larger.subarray(1));
  releaseBlocks([{ block }]);
  expect(block.serialized).toEqual(bytes);
});

it('leaves columns that are not in one piece', () => {
  const { columns } = deserializeBlock(bytes.slice());
  releaseBlocks([{ block: { rows, columns } }]);
  expect(columns[0]?.data.byteLength).toBe(2 * rows);
});
