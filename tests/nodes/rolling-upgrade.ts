import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDataset, send } from '../support/apl.ts';
import { isDeep } from '../support/depth.js';
import { follow, watermarkOf } from '../support/followed-tail.ts';
import { newerVersion } from '../support/newer-program.ts';
import { cluster, ids, isMissing, node } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  // Last: from then on the database is that of a newer version.
  it.runIf(isDeep)(
    'go on beside one of a newer version while events come, and that one may be taken back',
    async () => {
      await createDataset(node(0), 'rolling');
      const start = await watermarkOf(node(0), 'rolling');
      const acknowledged: number[] = [];
      let going = true;
      const writers = [0, 1, 2].map(async (writer) => {
        for (let i = 0; going; i++) {
          const id = writer * 100_000 + i;
          const answer = await send(node(writer), 'rolling', JSON.stringify({ id })).catch(() => undefined);
          if (answer?.status === 200) acknowledged.push(id);
          await pause(50);
        }
      });
      const more = async (): Promise<void> => {
        const before = acknowledged.length;
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 5);
      };
      await more();
      for (const version of [newerVersion, {}]) {
        expect(await node(0).stop()).toBe(0);
        await cluster.places.restart(0, version);
        await more();
      }
      going = false;
      await Promise.all(writers);
      const there = await ids(node(1), 'rolling');
      expect(new Set(there).size).toBe(there.length);
      expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
      const tail = follow(node(2), 'rolling', start);
      await expect.poll(() => tail.ids.toSorted((a, b) => a - b), { timeout: 30_000 }).toEqual(there);
      tail.end();
    },
  );
});
