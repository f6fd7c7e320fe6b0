import { afterEach, beforeEach, expect, test } from 'vitest';
import { Collection } from './collection.js';
import type { Database } from './database.js';
import type { Metadata } from './metadata.js';
import { describeEachStore } from './testing/metadata-stores.js';

describeEachStore((store) => {
  interface Thing {
    readonly id: string;
    readonly name: string;
    readonly more?: unknown;
  }

  let metadata: Metadata;
  let database: Database;
  let things: Collection<Thing>;
  beforeEach(async () => {
    metadata = await store.open();
    ({ database } = metadata);
    things = new Collection(database, { name: 'things', kind: 'thing', prefix: 'thing_', unique: ({ name }) => name });
  });
  afterEach(() => metadata.close());

  test('create and update return the same as get, find and list', async () => {
    const created = await things.create({ name: 'a', more: { deep: [1, null, 'ü', { z: 1, a: 2 }] } });
    expect(created.id).toMatch(/^thing_[0-9a-f]{24}$/);
    expect(JSON.stringify(await things.get(created.id))).toBe(JSON.stringify(created));
    expect(await things.find('unique_key', 'a')).toEqual(created);
    const updated = await things.update(created.id, (present) => ({ ...present, name: 'b' }));
    expect(updated).toEqual({ ...created, name: 'b' });
    expect(await things.list()).toEqual([updated]);
    expect(await things.find('unique_key', 'a')).toBeUndefined();
  });

  test('an update cannot change the id', async () => {
    const { id } = await things.create({ name: 'a' });
    expect(await things.update(id, () => ({ id: 'other', name: 'a' }))).toEqual({ id, name: 'a' });
  });

  test('keys are unique; a record may keep its own', async () => {
    const a = await things.create({ name: 'a' });
    const b = await things.create({ name: 'b' });
    await expect(things.create({ name: 'a' })).rejects.toThrow("thing 'a' already exists");
    await expect(things.update(b.id, () => a)).rejects.toThrow("thing 'a' already exists");
    await things.update(a.id, (present) => ({ ...present, more: 1 }));
    await things.delete(a.id);
    await things.create({ name: 'a' });
    expect((await things.list()).map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('a taken key is named as it was given, or as the collection says', async () => {
    const odd = '["a';
    await things.create({ name: odd });
    await expect(things.create({ name: odd })).rejects.toThrow(`thing '${odd}' already exists`);
    const pairs = new Collection<Thing>(database, {
      name: 'pairs',
      kind: 'pair',
      prefix: 'pair_',
      unique: ({ name, more }) => JSON.stringify([more, name]),
      named: ({ name }) => name,
    });
    await pairs.create({ name: 'a', more: 'x' });
    await pairs.create({ name: 'a', more: 'y' });
    await expect(pairs.create({ name: 'a', more: 'x' })).rejects.toThrow("pair 'a' already exists");
  });

  test('missing records are not found', async () => {
    await expect(things.get('x')).rejects.toThrow("thing 'x' not found");
    await expect(things.update('x', (present) => present)).rejects.toThrow('not found');
    await expect(things.delete('x')).rejects.toThrow('not found');
  });

  test('a change that throws changes nothing', async () => {
    const made = await things.create({ name: 'a' });
    const failing = things.update(made.id, () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await things.get(made.id)).toEqual(made);
  });

  test('updates at the same time do not lose one another', async () => {
    const { id } = await things.create({ name: 'a', more: 0 });
    await Promise.all(
      Array.from({ length: 30 }, () =>
        things.update(id, (present) => ({ ...present, more: (present.more as number) + 1 })),
      ),
    );
    expect((await things.get(id)).more).toBe(30);
  });

  test('a list shows the latest write to every reader', async () => {
    for (let i = 0; i < 20; i++) {
      const [{ id }] = await Promise.all([things.create({ name: `n${i}` }), things.list()]);
      expect((await things.list()).map((thing) => thing.id)).toContain(id);
      await Promise.all([things.update(id, () => ({ id, name: 'changed' })), things.list()]);
      expect((await things.list()).map(({ name }) => name)).toEqual(['changed']);
      await Promise.all([things.delete(id), things.list()]);
      expect(await things.list()).toEqual([]);
    }
  });

  test('a list without a write in between is not read again', async () => {
    await things.create({ name: 'a' });
    const first = await things.list();
    expect(await things.list()).toBe(first);
  });

  test('a list is read in pages of any number of records, in order', async () => {
    const lengths = [10, 300_000, 5, 200_000, 100_000, 1, 700_000, 3];
    const made: Thing[] = [];
    for (const [i, length] of lengths.entries())
      made.push(await things.create({ name: `n${i}`, more: 'x'.repeat(length) }));
    expect(await things.list()).toEqual(made);
    const [first, again] = await Promise.all([things.list(), things.list()]);
    expect(again).toBe(first);
  });

  test('records that went with their owner are not listed', async () => {
    let owners = 0;
    const owned = new Collection<Thing>(database, {
      name: 'owned',
      kind: 'owned',
      prefix: 'owned_',
      ownersVersion: () => owners,
    });
    await owned.create({ name: 'a' });
    expect(await owned.list()).toHaveLength(1);
    await database.deleteFrom('documents').where('collection', '=', 'owned').execute();
    owners++;
    expect(await owned.list()).toEqual([]);
  });

  test('collections do not see one another', async () => {
    const others = new Collection<Thing>(database, {
      name: 'others',
      kind: 'other',
      prefix: 'other_',
      unique: ({ name }) => name,
    });
    const thing = await things.create({ name: 'a' });
    await others.create({ name: 'a' });
    await expect(others.get(thing.id)).rejects.toThrow("other '");
    expect(await others.list()).toHaveLength(1);
  });
});
