import { expect, test } from 'vitest';
import { DICTIONARY_STRING } from '../fields.js';
import { BlockTooLarge, DEFAULT_LIMITS } from '../limits.js';
import { readBlock } from '../testing/read-block.js';
import { deserializeBlock } from './block-bytes.js';
import { type FixedColumn, makeBlock } from './make-block.js';

const text = (texts: readonly string[], keys: readonly number[], repeat: boolean): FixedColumn => ({
  kind: 'string',
  field: 'text',
  texts,
  keys: Uint32Array.from(keys),
  repeat,
});

test.each([true, false])('values come back (dictionary: %s)', (repeat) => {
  const block = makeBlock(
    3,
    [
      // Typed arrays may have room for more rows.
      { kind: 'time', values: BigInt64Array.of(1n, -2n, 3n, 4n) },
      { kind: 'integer', field: 'id', values: BigInt64Array.of(-(2n ** 63n), 5n, 6n, 7n) },
      { kind: 'float', field: 'value', values: Float64Array.of(0.1, 0, -0, 1), nulls: Uint8Array.of(0, 1, 0, 0) },
      text(['é', 'b'], [2, 0, 1, 0], repeat),
    ],
    DEFAULT_LIMITS,
  );
  const rows = [
    { _time: 1n, 'id#i': -(2n ** 63n), 'value#f': 0.1, 'text#s': 'b' },
    { _time: -2n, 'id#i': 5n },
    { _time: 3n, 'id#i': 6n, 'value#f': -0, 'text#s': 'é' },
  ];
  expect(readBlock(block)).toEqual(rows);
  expect(readBlock(deserializeBlock(block.serialized))).toEqual(rows);
});

test.each([
  [255, DICTIONARY_STRING],
  [256, DICTIONARY_STRING],
  [40_000, 'Nullable(String)'],
])('%i texts', (count, type) => {
  const texts = Array.from({ length: count }, (_, i) => `text ${i}`);
  const keys = texts.map((_, i) => i + 1);
  const times: FixedColumn = { kind: 'time', values: new BigInt64Array(count) };
  const block = makeBlock(count, [times, text(texts, keys, true)], DEFAULT_LIMITS);
  expect(block.columns[1]!.type).toBe(type);
  expect(readBlock(block).map((row) => row['text#s'])).toEqual(texts);
});

test('a block that is too large is not written', () => {
  const columns: readonly FixedColumn[] = [{ kind: 'time', values: new BigInt64Array(2) }];
  expect(() => makeBlock(2, columns, { maxBlockBytes: 15 })).toThrow(BlockTooLarge);
});
