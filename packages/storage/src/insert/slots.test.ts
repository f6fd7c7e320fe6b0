import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Slots } from './slots.js';
import { append, fakeWorld } from '../testing/fake-harness.js';

/** Work that records its start and continues until it is released. */
function controlledWork() {
  const begun: string[] = [];
  const letGo = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => letGo.set(name, resolve));
  };
  return { begun, work, end: (name: string) => letGo.get(name)!() };
}

test('as many run in parallel as there are slots; urgent inserts get free slots first', async () => {
  const urgent = new Set<string>();
  const slots = new Slots<string>(2, (name) => urgent.has(name));
  const { begun, work, end } = controlledWork();
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => slots.run(name, work(name)));
  await turn();
  expect(begun).toEqual(['a', 'b']);
  urgent.add('e');
  end('b');
  await turn();
  expect(begun).toEqual(['a', 'b', 'e']);
  for (const name of ['a', 'e', 'c', 'd']) {
    end(name);
    await turn();
  }
  expect(begun).toEqual(['a', 'b', 'e', 'c', 'd']);
  await Promise.all(all);
});

test('work that fails gives its slot back', async () => {
  const slots = new Slots<string>(1, () => false);
  await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('b', async () => 'done')).toBe('done');
});

test('a thousand datasets to be stored do not reach the engine all at once', async () => {
  const world = await fakeWorld();
  const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
  try {
    const storage = await world.open(ids);
    for (const id of ids) await append(storage, id, [1]);
    let [running, max] = [0, 0];
    world.fake.before = async ({ kind }) => {
      if (kind === 'query') return;
      max = Math.max(max, ++running);
      await turn();
      running--;
    };
    await storage.flush(ids);
    expect(max).toBeGreaterThan(1);
    expect(max).toBeLessThanOrEqual(16);
    expect(ids.flatMap((id) => world.fake.rows(id))).toHaveLength(1000);
  } finally {
    await world.close();
  }
});
