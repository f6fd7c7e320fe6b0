import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { append, fakeWorld, type FakeWorld } from './testing/fake-world.js';

/** When events that are being taken become known, and what becomes of those that are not taken. */

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

describe('the fields of a batch', () => {
  it('are not known before its queue is: no flush could make the columns a query would ask for', async () => {
    const storage = await world.open([1]);
    const appended = append(storage, 1, [1]);
    expect(storage.fields({ datasetId: 1, name: 'd' })).toEqual([]);
    await appended;
    expect(storage.fields({ datasetId: 1, name: 'd' }).map(({ name }) => name)).toEqual(['day']);
    await storage.close();
  });

  it('stay unknown when the log cannot take it', async () => {
    const storage = await world.open([1]);
    world.files.fault = ({ operation }) => (operation === 'sync' ? 'EIO' : undefined);
    await expect(append(storage, 1, [1])).rejects.toMatchObject({ code: 'io' });
    world.files.fault = undefined;
    expect(storage.fields({ datasetId: 1, name: 'd' })).toEqual([]);
    expect(storage.pendingBytes).toBe(0);
    await storage.close();
  });
});
