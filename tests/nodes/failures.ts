import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cell, createDataset, send } from '../support/apl.ts';
import { anHourAhead } from '../support/fast-clock.ts';
import { request } from '../support/server-process.ts';
import { cluster, ids, isMissing, node } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  it('lose and double nothing when connections break before and after inserts', async () => {
    await createDataset(node(0), 'cut');
    let inserts = 0;
    cluster.places.front.watch = (moment, sql, cut) => {
      if (!sql.startsWith('INSERT')) return;
      if (moment === 'before') inserts += 1;
      if ((inserts % 3 === 1 && moment === 'before') || (inserts % 3 === 2 && moment === 'after')) cut();
    };
    const sent = await Promise.all(
      [0, 1, 2].map(async (n) => {
        const acknowledged: number[] = [];
        for (let id = n * 1000; id < n * 1000 + 5; id++)
          if ((await send(node(n), 'cut', JSON.stringify({ id }))).status === 200) acknowledged.push(id);
        return acknowledged;
      }),
    );
    cluster.places.front.watch = () => undefined;
    expect(sent.flat().length).toBeGreaterThan(0);
    const there = await ids(node(1), 'cut');
    expect(new Set(there).size).toBe(there.length);
    expect(sent.flat().filter((id) => !there.includes(id))).toEqual([]);
  });

  it('store events once that a client without a key repeats at another node', async () => {
    await createDataset(node(0), 'repeated');
    await node(0).kill();
    await cluster.places.restart(0, { settings: { MILLRACE_ACCEPT_TIMEOUT: '2s' } });
    // ClickHouse stores the insert, and goes away before it responds.
    let isAway = false;
    cluster.places.front.watch = (moment, sql, cut) => {
      isAway ||= moment === 'after' && sql.startsWith('INSERT INTO `millrace`.`d');
      if (isAway) cut();
    };
    const events = JSON.stringify([{ id: 1 }, { id: 2 }]);
    const first = await send(node(0), 'repeated', events);
    expect([first.status, JSON.stringify(first.body)]).toEqual([
      503,
      expect.stringContaining('insert not confirmed in time'),
    ]);
    cluster.places.front.watch = () => undefined;
    await expect.poll(async () => (await send(node(1), 'repeated', events)).status).toBe(200);
    expect(await ids(node(2), 'repeated')).toEqual([1, 2]);
    // An equal body after that is a new one.
    expect((await send(node(1), 'repeated', events)).status).toBe(200);
    expect(await ids(node(2), 'repeated')).toEqual([1, 1, 2, 2]);
  });

  it('go on when one is killed, comes back with a clock that is wrong, and another is stopped for a while', async () => {
    await createDataset(node(0), 'weather');
    const acknowledged: number[] = [];
    let going = true;
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; going; n++) {
        const id = writer * 100_000 + n;
        const status = await send(node(n), 'weather', JSON.stringify({ id })).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200) acknowledged.push(id);
        if (status === 200 && n % 5 === 0) expect(await cell(node(1), `weather | where id == ${id} | count`)).toBe(1);
        await pause(50);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
    await node(0).kill();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(30);
    await cluster.places.restart(0, { settings: anHourAhead });
    // Its events use the common time, and the other nodes see them immediately.
    expect((await send(node(0), 'weather', '{"id":-1}')).status).toBe(200);
    expect(await cell(node(1), 'weather | where _time > ago(10m) and id == -1 | count')).toBe(1);
    expect(JSON.stringify((await request(node(0), '/healthz')).body)).toContain('60 minutes ahead of the clock of');
    node(2).process.kill('SIGSTOP');
    const before = acknowledged.length;
    await pause(1500);
    node(2).process.kill('SIGCONT');
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10);
    going = false;
    await Promise.all(writers);
    for (const each of cluster.places.nodes) {
      const there = await ids(each, 'weather');
      expect(new Set(there).size).toBe(there.length);
      expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
    }
  });
});
