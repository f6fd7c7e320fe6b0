import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { inOnePartition } from './one-partition.js';

const milliseconds = 1_000_000n;
const at = (text: string): bigint => BigInt(Date.parse(text)) * milliseconds;
const arrival = at('2026-11-20T12:00:00Z');

const batchOf = (arrival: bigint, times: readonly bigint[]) => {
  const data = new Uint8Array(BigInt64Array.from(times).buffer);
  const block = { rows: times.length, columns: [{ name: '_time', type: 'DateTime64', data }] };
  return { position: 1n, arrival, block, bytes: 0 };
};

const cases: readonly (readonly [string, boolean, readonly string[]])[] = [
  ['a day', true, ['2026-11-20T00:00:00Z', '2026-11-20T23:59:59.999Z', '2026-11-20T12:00:00Z']],
  ['a day and the next', false, ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00Z']],
  ['a month, long ago', true, ['2026-06-01T00:00:00Z', '2026-06-30T23:59:59.999Z']],
  ['two months, long ago', false, ['2026-06-30T23:59:59.999Z', '2026-07-01T00:00:00Z']],
  ['a year, very long ago', true, ['2020-01-01T00:00:00Z', '2020-12-31T23:59:59.999Z']],
  ['the day on which a week ago ends', false, ['2026-11-13T11:00:00Z', '2026-11-13T13:00:00Z']],
  ['a day to come', true, ['2026-11-22T01:00:00Z', '2026-11-22T02:00:00Z']],
  ['nothing', true, []],
];

it.each(cases)('%s: %s', (_, expected, times) => {
  expect(inOnePartition([batchOf(arrival, times.map(at))])).toBe(expected);
  expect(inOnePartition(times.map((time) => batchOf(arrival, [at(time)])))).toBe(expected);
});

/** As the engine computes it. */
function partition(time: bigint, arrival: bigint): string {
  const date = new Date(Number(time / milliseconds)).toISOString();
  const days = Number(time < arrival ? arrival - time : time - arrival) / 86_400e9;
  return days < 7 ? date.slice(0, 10) : days < 396 ? date.slice(0, 7) : date.slice(0, 4);
}

it('is never claimed for events in several partitions', () => {
  const day = 86_400_000n * milliseconds;
  const time = fc.oneof(
    fc.bigInt(-500n, 500n).map((days) => arrival + (days * day) / 4n),
    fc.bigInt(arrival - 900n * day, arrival + 900n * day),
    fc.bigInt(arrival - day, arrival + day),
  );
  const batch = fc.tuple(fc.constantFrom(arrival, arrival + day, arrival - 3n * day), fc.array(time, { maxLength: 3 }));
  const property = fc.property(fc.array(batch, { minLength: 1, maxLength: 3 }), (batches) => {
    const partitions = new Set(batches.flatMap(([arrival, times]) => times.map((time) => partition(time, arrival))));
    return partitions.size <= 1 || !inOnePartition(batches.map(([arrival, times]) => batchOf(arrival, times)));
  });
  expect(fc.check(property, { numRuns: 3000 }).counterexample).toBeNull();
});
