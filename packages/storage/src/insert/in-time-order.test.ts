import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { inTimeOrder } from './in-time-order.js';

const batchOf = (position: bigint, times: readonly bigint[]) => {
  const data = new Uint8Array(BigInt64Array.from(times).buffer);
  return { position, block: { rows: times.length, columns: [{ name: '_time', type: 'DateTime64', data }] } };
};
const positions = (group: ReturnType<typeof batchOf>[]): readonly bigint[] =>
  inTimeOrder(group).map(({ position }) => position);

it('puts a batch whose first event is earlier in front, also before 1970', () => {
  expect(positions([batchOf(1n, [30n, 40n]), batchOf(2n, [10n, 20n]), batchOf(3n, [-5n])])).toEqual([3n, 2n, 1n]);
});

it('leaves batches that begin at the same time as they came', () => {
  expect(positions([batchOf(1n, [7n, 9n]), batchOf(2n, [7n, 8n]), batchOf(3n, [7n])])).toEqual([1n, 2n, 3n]);
});

it('accepts a batch without rows', () => {
  expect(positions([batchOf(1n, [5n]), batchOf(2n, [])])).toEqual([2n, 1n]);
});

it('neither loses nor duplicates an event', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))), (times) => {
      const group = times.map((some, i) => batchOf(BigInt(i), some));
      expect(new Set(inTimeOrder(group))).toEqual(new Set(group));
      expect(inTimeOrder(group)).toHaveLength(group.length);
    }),
  );
});
