import { expect, test } from 'vitest';
import { ReachableReplicas, ShardNamespace } from './shard-namespace.js';

const [first, second, eleventh] = [new ShardNamespace(1), new ShardNamespace(2), new ShardNamespace(11)];

test('each shard finds its entries among the entries of all', () => {
  const reachable = new ReachableReplicas();
  reachable.note(first, ['r1', 'r2']);
  reachable.note(eleventh, ['r1']);
  const all = reachable.note(second, ['r2']);
  expect([first, second, eleventh].map((shard) => shard.own(all))).toEqual([['r1', 'r2'], ['r2'], ['r1']]);
  // A replica that is no longer reachable no longer counts, and only in that shard.
  expect(second.own(reachable.note(first, ['r1']))).toEqual(['r2']);
  expect(first.own(reachable.note(first, []))).toEqual([]);
});

test('classes of one shard are none of another', () => {
  const numbers = [first, second, eleventh].map((shard) => [0, 11].map((tableClass) => shard.class(tableClass)));
  expect(numbers).toEqual([
    [0, 11],
    [12, 23],
    [120, 131],
  ]);
  for (const [i, shard] of [first, second, eleventh].entries())
    expect(numbers.map((some) => some.every((number) => shard.hasClass(number)))).toEqual(
      numbers.map((_, j) => i === j),
    );
});
