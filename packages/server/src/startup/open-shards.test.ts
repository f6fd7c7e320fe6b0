import type { Engine } from '@millrace/engine';
import { expect, it } from 'vitest';
import { FakeEngine } from '@millrace/storage/testing/fake-engine';
import { nameOnShard, openShards, shardCalled } from './open-shards.js';

it('the name of an owner says which of its shards a database is', () => {
  for (const shard of [1, 2, 12]) expect(shardCalled('a-b', nameOnShard('a-b', shard))).toBe(shard);
  for (const other of ['a', 'a-b-', 'a-b-x', 'a-bc-2', '']) expect(shardCalled('a-b', other)).toBeUndefined();
});

it('one shard is opened directly, several as a single engine; when one fails the others are closed', async () => {
  const closed: string[] = [];
  const open = async (addresses: readonly string[], shard: number): Promise<Engine> => {
    const name = `${shard} ${addresses.join()}`;
    if (name.includes('bad')) throw new Error(name);
    return { ...new FakeEngine().open(), close: async () => void closed.push(name) };
  };
  expect((await openShards('a, b', open)).sharding).toBeUndefined();
  const both = await openShards('a,b; c', open);
  expect(both.sharding?.shards).toHaveLength(2);
  await both.close();
  expect(closed).toEqual(['1 a,b', '2 c']);
  await expect(openShards('d;bad;e', open)).rejects.toThrow('2 bad');
  expect(closed.slice(2)).toEqual(['1 d', '3 e']);
});
