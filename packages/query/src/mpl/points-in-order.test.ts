import { expect, test } from 'vitest';
import { endsOf, staleBits } from '@millrace/mpl';
import { inOrder } from './points-in-order.js';
import { RowBinaryReader } from './row-binary.js';

test('of several points with the same time the last counts, in any order', () => {
  const createPoints = (pairs: readonly (readonly [number, number])[]) => ({
    times: Float64Array.from(pairs, ([time]) => time),
    values: Float64Array.from(pairs, ([, value]) => value),
  });
  const inRow = createPoints([[1, 10], [2, 20], [2, 21], [3, 30]]); // prettier-ignore
  const mixed = createPoints([[3, 30], [2, 20], [1, 10], [2, 21]]); // prettier-ignore
  for (const points of [inRow, mixed])
    expect(inOrder(points)).toEqual(createPoints([[1, 10], [2, 21], [3, 30]])); // prettier-ignore
});

test('the bits of a staleness marker survive reading and sorting', () => {
  const body = Buffer.alloc(8 + 1 + 16 + 1 + 16);
  body.writeBigInt64LE(-7n, 0);
  body.writeUInt8(2, 8);
  body.writeDoubleLE(5, 9);
  body.writeDoubleLE(4, 17);
  body.writeUInt8(2, 25);
  body.writeBigUInt64LE(staleBits, 26);
  body.writeDoubleLE(Number.NaN, 34);
  const reader = new RowBinaryReader(body);
  expect(reader.int64()).toBe(-7n);
  const { times, values } = inOrder({ times: reader.doubles(), values: reader.doubles() });
  expect(reader.hasMore).toBe(false);
  expect([[...times], [...(endsOf(values) ?? [])]]).toEqual([[4, 5], [0, 1]]); // prettier-ignore
});

test('a list longer than 127', () => {
  const values = Float64Array.from({ length: 300 }, (_, i) => i);
  const body = Buffer.concat([Buffer.from([0xac, 0x02]), Buffer.from(values.buffer)]);
  expect(new RowBinaryReader(body).doubles()).toEqual(values);
});
