import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { apl, createDataset, send } from '../support/apl.ts';
import { follow, watermarkOf } from '../support/followed-tail.ts';
import { cluster, ids, isMissing, node } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  it('all follow the steps in one order, even if one crashes midway, without gaps or duplicates', async () => {
    await createDataset(node(0), 'followed');
    const start = await watermarkOf(node(0), 'followed');
    const tails = [0, 1].map((n) => follow(node(n), 'followed', start));
    const acknowledged: number[] = [];
    let going = true;
    const writers = [0, 1, 2].map(async (n) => {
      for (let i = 0; going; i++) {
        const id = n * 100_000 + i;
        const late = i % 3 === 0 ? [{ id: id + 50_000, _time: '2026-01-01T00:00:00Z' }] : [];
        const body = JSON.stringify([...late, { id }]);
        const answer = await send(node(n), 'followed', body).catch(() => undefined);
        if (answer?.status === 200) acknowledged.push(id, ...late.map((event) => event.id));
        await pause(50);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
    await node(2).kill();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    await cluster.places.restart(2);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(30);
    going = false;
    await Promise.all(writers);
    const there = await ids(node(1), 'followed');
    for (const tail of tails)
      await expect.poll(() => tail.ids.toSorted((a, b) => a - b), { timeout: 30_000 }).toEqual(there);
    expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
    expect(tails[0]!.ids).toEqual(tails[1]!.ids);
    // A tail that starts later gets the same events, and so does a query about an earlier position.
    const later = follow(node(2), 'followed', start);
    await expect.poll(() => later.ids.length, { timeout: 30_000 }).toBe(there.length);
    expect(later.ids).toEqual(tails[0]!.ids);
    const half = tails[0]!.positions[Math.floor(there.length / 2)]!;
    const upToHalf = tails[0]!.positions.filter((position) => BigInt(position) <= BigInt(half)).length;
    const { tables } = await apl(node(2), 'followed | count', { asOf: half });
    expect(tables[0]?.columns[0]?.[0]).toBe(upToHalf);
    for (const tail of [...tails, later]) tail.end();
  });
});
