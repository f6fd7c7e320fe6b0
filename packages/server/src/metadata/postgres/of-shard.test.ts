import { expect, test } from 'vitest';
import { Heard, OfShard } from './of-shard.js';

const [first, second, eleventh] = [new OfShard(1), new OfShard(2), new OfShard(11)];

test('each shard finds its own among what all have noted', () => {
  const heard = new Heard();
  heard.note(first, ['r1', 'r2']);
  heard.note(eleventh, ['r1']);
  const all = heard.note(second, ['r2']);
  expect([first, second, eleventh].map((shard) => shard.own(all))).toEqual([['r1', 'r2'], ['r2'], ['r1']]);
  // What is heard no more counts no more, and only there.
  expect(second.own(heard.note(first, ['r1']))).toEqual(['r2']);
  expect(first.own(heard.note(first, []))).toEqual([]);
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
