import { expect, test } from 'vitest';
import { describeEachStore } from '@millrace/metadata/testing/metadata-stores';
import type { Metadata } from '@millrace/metadata/metadata';
import { incidentsIn } from './incidents.js';
import { forgetOlder, healthMonitorId, type RunOutcome, writeOutcomes } from './records.js';
import { newState } from './state.js';

describeEachStore((store) => {
  const minute = 60_000;
  const kept = { runs: 10, changes: 3, waiting: 10 };
  const detailsOf = (group: string) => ({
    group,
    keys: [],
    values: [],
    text: '',
    start: 0,
    end: 0,
    about: '',
  });
  const outcome = (time: number, groups: readonly string[]): RunOutcome => ({
    monitorId: healthMonitorId,
    ran: time,
    state: newState(''),
    run: { id: 'r', time, start: time, end: time, state: 'open', notified: 0, milliseconds: 1 },
    changes: groups.map((group) => ({
      checkId: 'r',
      name: group,
      state: 'open',
      timestamp: new Date(time).toISOString(),
      details: detailsOf(group),
    })),
    decided: [],
    annotations: [],
  });
  const namesOf = async ({ database }: Metadata): Promise<readonly string[]> =>
    (await database.selectFrom('monitor_changes').select('change').orderBy('position').execute()).map(
      ({ change }) => (JSON.parse(change) as { name: string }).name,
    );

  test('of a monitor the newest changes stay', async () => {
    const metadata = await store.open();
    await writeOutcomes(metadata, [outcome(minute, ['a', 'b', 'c'])], kept);
    expect(await namesOf(metadata)).toEqual(['a', 'b', 'c']);
    await writeOutcomes(metadata, [outcome(2 * minute, ['d', 'e'])], kept);
    expect(await namesOf(metadata)).toEqual(['c', 'd', 'e']);
    await metadata.close();
  });

  test('keeps the newest notifications of a monitor, and the pending ones', async () => {
    const metadata = await store.open();
    const { database } = metadata;
    const row = (id: string, created: number, monitor_id: string, state: 'waiting' | 'delivered') => ({
      id,
      monitor_id,
      notifier_id: 'n',
      created,
      next_try: 0,
      tries: 0,
      state,
      problem: '',
      notification: '{}',
    });
    await database
      .insertInto('notifications')
      .values([
        row('old', 1, 'm', 'delivered'),
        row('waiting', 2, 'm', 'waiting'),
        ...['a', 'b', 'c'].map((id, i) => row(id, 10 + i, 'm', 'delivered')),
        row('other', 10, 'other', 'delivered'),
      ])
      .execute();
    const ids = async (): Promise<readonly string[]> =>
      (await database.selectFrom('notifications').select('id').orderBy('position').execute()).map(({ id }) => id);
    await forgetOlder(5, 2, database);
    expect(await ids()).toEqual(['waiting', 'b', 'c', 'other']);
    await metadata.close();
  });

  test('a storm hides no incident of other monitors, and is over when it has closed', async () => {
    const metadata = await store.open();
    const change = (group: string, state: 'open' | 'closed') =>
      JSON.stringify({ ...outcome(0, [group]).changes[0], state });
    const add = async (monitor_id: string, time: number, state: 'open' | 'closed', groups: readonly number[]) =>
      metadata.database
        .insertInto('monitor_changes')
        .values(groups.map((group) => ({ monitor_id, time, change: change(String(group), state) })))
        .execute();
    const groups = Array.from({ length: 10_000 }, (_, n) => n);
    await add('own', 1, 'open', [0]);
    for (const state of ['open', 'closed'] as const)
      for (let first = 0; first < groups.length; first += 1000)
        await add('storm', state === 'open' ? 10 : 20, state, groups.slice(first, first + 1000));
    await add('own', 30, 'closed', [0]);
    const read = (readable: readonly string[]) =>
      incidentsIn({ startTime: '1970-01-01T00:00:00Z' }, minute, new Set(readable), metadata.database);
    const own = { monitorId: 'own', closedAt: '1970-01-01T00:00:00.030Z' };
    expect(await read(['own'])).toMatchObject([own]);
    const both = await read(['own', 'storm']);
    expect(both.at(-1)).toMatchObject(own);
    const storm = both.filter(({ monitorId }) => monitorId === 'storm');
    expect([storm.length, new Set(storm.map(({ closedAt }) => closedAt))]).toEqual([
      9999,
      new Set(['1970-01-01T00:00:00.020Z']),
    ]);
    await metadata.close();
  });
});
