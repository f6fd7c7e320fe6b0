import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Principal } from '@millrace/http/access/authorize';
import type { Metadata } from '@millrace/metadata/metadata';
import { describeEachStore } from '@millrace/metadata/testing/metadata-stores';
import { storedMonitor } from '../testing/monitors.js';
import { Slos } from './slos.js';

/** An objective and its monitors change together, or not at all. */

const principal: Principal = {
  kind: 'personal-token',
  tokenId: 't',
  tokenName: 't',
  userId: 'usr_1',
  capabilities: [],
};
const reads = { all: true, audit: false, datasets: [], views: [] };
const alertOf = (longMinutes: number, burnRate = 2) => ({ longMinutes, shortMinutes: 5, burnRate });
const body = {
  name: 'Pay',
  aplQuery: 'shop',
  good: 'status < 500',
  objective: 99,
  windowDays: 7,
  alerts: [60, 120].map((minutes) => alertOf(minutes)),
};

type Write = (...given: never[]) => Promise<unknown>;
type WritableCollection = Record<'create' | 'update' | 'write' | 'delete', Write>;

describeEachStore((store) => {
  let metadata: Metadata;
  let slos: Slos;
  beforeEach(async () => {
    metadata = await store.open();
    const drafts = { check: async () => ({ reads, from: '0' }) };
    slos = new Slos({ metadata, clock: Date.now, settings: { maxMonitors: 4 }, drafts });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await metadata.close();
  });

  const all = async () => JSON.stringify([await metadata.slos.list(), await metadata.monitors.list()]);

  /** Makes the nth write fail, before it or after it; later ones are not reached. */
  function breakWrite(n: number, when: 'before' | 'after'): void {
    let writes = 0;
    const collections: readonly WritableCollection[] = [metadata.slos, metadata.monitors];
    for (const collection of collections)
      for (const name of ['create', 'update', 'write', 'delete'] as const) {
        const write = collection[name].bind(collection);
        vi.spyOn(collection, name).mockImplementation(async (...given) => {
          const isBroken = writes++ === n;
          if (isBroken && when === 'before') throw new Error('broken');
          const result = await write(...given);
          if (isBroken) throw new Error('broken');
          return result;
        });
      }
  }

  const change = {
    ...body,
    name: 'Paid',
    // One goes, one changes, two come.
    alerts: [alertOf(120, 3), alertOf(180), alertOf(240)],
  };
  describe.each([
    ['create', 3, () => slos.create(body, principal)],
    ['update', 5, (id: string) => slos.update(id, change, principal)],
    ['delete', 3, (id: string) => slos.delete(id)],
  ] as const)('%s', (name, writes, run) => {
    test.each(['before', 'after'] as const)('a failure %s any of its writes leaves all as it was', async (when) => {
      const { id } = name === 'create' ? { id: '' } : await slos.create(body, principal);
      const before = await all();
      for (let n = 0; n < writes; n++) {
        breakWrite(n, when);
        await expect(run(id)).rejects.toThrow('broken');
        vi.restoreAllMocks();
        expect(await all()).toBe(before);
      }
      breakWrite(writes, when);
      await run(id);
      vi.restoreAllMocks();
      const after = name === 'create' ? body.alerts : name === 'update' ? change.alerts : [];
      const monitors = await metadata.monitors.list();
      expect(monitors.map(({ rangeMinutes, threshold }) => [rangeMinutes, threshold])).toEqual(
        after.map(({ longMinutes, burnRate }) => [longMinutes, burnRate]),
      );
      const [slo] = await metadata.slos.list();
      expect(monitors.every(({ sloId }) => sloId === slo?.id)).toBe(true);
    });
  });

  test('monitors that depend on one of its monitors do no more when that is deleted', async () => {
    const { id, monitorIds } = await slos.create(body, principal);
    const { id: _, ...other } = storedMonitor({ notifyOnlyWhile: monitorIds });
    const { id: dependent } = await metadata.monitors.create(other);
    await slos.update(id, { ...body, alerts: body.alerts.slice(1) }, principal);
    expect((await metadata.monitors.get(dependent)).notifyOnlyWhile).toEqual(monitorIds.slice(1));
    await slos.delete(id);
    expect(await metadata.monitors.get(dependent)).not.toHaveProperty('notifyOnlyWhile');
  });

  test('monitors of an update count toward their maximum', async () => {
    const { id } = await slos.create(body, principal);
    const alerts = [60, 120, 180, 240, 300].map((minutes) => alertOf(minutes));
    await expect(slos.update(id, { ...body, alerts }, principal)).rejects.toMatchObject({ code: 'quota-reached' });
    await slos.update(id, { ...body, alerts: alerts.slice(1) }, principal);
    await slos.update(id, { ...body, alerts: alerts.slice(0, 4) }, principal);
  });
});
