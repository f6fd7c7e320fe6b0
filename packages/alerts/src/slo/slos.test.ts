import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import type { Monitor } from '@millrace/api/schemas/monitor';
import type { Slo, SloBudget } from '@millrace/api/schemas/slo';
import { budgetOf } from './budget.js';
import { sloMonitor } from './slo-monitors.js';

/** Objectives on a real engine. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ maxMonitors: 4 });
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  // A day with 1 bad event of 100, and 3 bad ones of 4 in the last minutes.
  const day = Array.from({ length: 400 }, (_, n) => ({ _time: ago(120 + n * 3), status: n % 100 === 0 ? 500 : 200 }));
  const lately = [200, 500, 500, 500].map((status, n) => ({ _time: ago(1 + n / 10), status }));
  await world.dataset('paid', [...day, ...lately]);
});
afterAll(() => world.close());

const body = {
  name: 'Pay',
  aplQuery: "['paid'] // all",
  good: 'status < 500 // not ours',
  objective: 99,
  windowDays: 7,
};
const make = (change: object = {}) => world.send<Slo>('POST', '/v2/slos', { ...body, ...change });
const monitorsOf = async (id: string): Promise<readonly Monitor[]> =>
  (await world.send<readonly Monitor[]>('GET', '/v2/monitors')).body.filter(({ sloId }) => sloId === id);

test('has a budget, and a monitor for each alert, which changes and goes with it', async () => {
  const { body: slo, status, text } = await make({ labels: { team: 'a' } });
  expect(status, text).toBe(200);
  expect((await world.send('GET', `/v2/slos/${slo.id}`)).body).toEqual(slo);
  const monitors = await monitorsOf(slo.id);
  expect(monitors.map(({ id }) => id)).toEqual(slo.monitorIds);
  expect(
    monitors.map(({ threshold, rangeMinutes, severity, labels }) => [threshold, rangeMinutes, severity, labels]),
  ).toEqual([
    [14.4, 60, 'critical', { team: 'a' }],
    [6, 360, 'error', { team: 'a' }],
    [1, 4320, 'warning', { team: 'a' }],
  ]);
  const { body: budget } = await world.send<SloBudget>('GET', `/v2/slos/${slo.id}/budget`);
  expect(budget).toMatchObject({ good: 397, total: 404, objective: 99 });
  // 7 of 4.04 bad events are used.
  expect(budget.remaining).toBeCloseTo(1 - 7 / 4.04, 4);
  expect(budget.burnRates.map(({ minutes, rate }) => [minutes, rate])).toEqual([
    [5, 75],
    [60, 75],
    [360, expect.closeTo((4 / 84) * 100, 0)],
    [1440, expect.closeTo((7 / 404) * 100, 0)],
  ]);
  expect(budget.points.at(-1)?.remaining).toBe(budget.remaining);

  const [fast] = monitors;
  const muted = { ...fast, disabledUntil: '2100-01-01T00:00:00Z' };
  expect((await world.send('PUT', `/v2/monitors/${fast!.id}`, muted)).status).toBe(200);
  const changed = await world.send('PUT', `/v2/monitors/${fast!.id}`, { ...fast, threshold: 2 });
  expect([changed.status, changed.text]).toEqual([400, expect.stringContaining(`belongs to the SLO '${slo.id}'`)]);
  expect((await world.send('DELETE', `/v2/monitors/${fast!.id}`)).status).toBe(400);

  const alerts = [{ longMinutes: 60, shortMinutes: 5, burnRate: 10 }];
  const put = await world.send('PUT', `/v2/slos/${slo.id}`, { ...body, name: 'Paid', alerts });
  expect(put.status, put.text).toBe(200);
  expect(await monitorsOf(slo.id)).toMatchObject([
    { threshold: 10, sloId: slo.id, disabledUntil: muted.disabledUntil },
  ]);
  expect((await world.send('DELETE', `/v2/slos/${slo.id}`)).status).toBe(204);
  expect(await monitorsOf(slo.id)).toEqual([]);
});

test('can be written back after one of its notifiers was deleted', async () => {
  const properties = { webhook: { url: 'https://example.com/hook' } };
  const { body: notifier } = await world.send<{ id: string }>('POST', '/v2/notifiers', { name: 'n', properties });
  const { body: slo } = await make({ notifierIds: [notifier.id] });
  expect((await world.send('DELETE', `/v2/notifiers/${notifier.id}`)).status).toBe(204);
  const { body: read } = await world.send<Slo>('GET', `/v2/slos/${slo.id}`);
  expect(read.notifierIds).toEqual([]);
  const put = await world.send('PUT', `/v2/slos/${slo.id}`, { ...body, notifierIds: read.notifierIds });
  expect(put.status, put.text).toBe(200);
  expect((await world.send('DELETE', `/v2/slos/${slo.id}`)).status).toBe(204);
});

test('alerts fire while both windows burn too fast', async () => {
  const alert = { longMinutes: 360, shortMinutes: 5, burnRate: 3 };
  const preview = async (shortMinutes: number, burnRate: number) => {
    const monitor = sloMonitor({ ...body, alerts: [], notifierIds: [] }, { ...alert, shortMinutes, burnRate });
    const { aplQuery, operator, type, columnName, name, threshold, rangeMinutes } = monitor;
    const at = new Date().toISOString();
    const { body: past, text } = await world.send<{ runs: { state: string; error?: string; value: number }[] }>(
      'POST',
      '/v2/monitors/_preview',
      {
        monitor: {
          aplQuery,
          operator,
          type,
          columnName,
          name,
          threshold,
          rangeMinutes,
        },
        startTime: at,
        endTime: at,
        ignoreArrival: true,
      },
    );
    return past.runs?.map(({ state, error }) => error ?? state) ?? text;
  };
  // The long window burns at 4.8, the last five minutes at 75.
  expect(await preview(5, 3)).toEqual(['open']);
  expect(await preview(5, 6)).toEqual(['ok']);
});

test.each([
  ['a mistake in the condition', { good: 'nonsense(status)' }, 'nonsense'],
  ['an unknown dataset', { aplQuery: 'nowhere' }, 'nowhere'],
  ['equal windows', { alerts: [{ longMinutes: 5, shortMinutes: 5, burnRate: 1 }] }, "'shortMinutes' below"],
  ['a window that is too long', { windowDays: 1 }, 'longer than'],
  ['an unknown notifier', { notifierIds: ['x'] }, 'which is no notifier'],
  [
    'no room for monitors',
    { alerts: [1, 2, 3, 4, 5].map((n) => ({ longMinutes: n * 60, shortMinutes: 5, burnRate: 1 })) },
    'monitors already',
  ],
])('rejects %s', async (_, change, problem) => {
  const { status, text } = await make(change);
  expect([status >= 400 && status < 500, text]).toEqual([true, expect.stringContaining(problem)]);
  expect((await world.send<readonly unknown[]>('GET', '/v2/slos')).body).toEqual([]);
});

test.each([
  ['no events', [], { good: 0, total: 0, remaining: 1 }],
  ['none bad', [[10, 10]], { attained: 100, remaining: 1 }],
  [
    'half of it',
    [
      [999, 1000],
      [1000, 1000],
    ],
    { attained: 99.95, remaining: 0.5 },
  ],
  ['all and more', [[990, 1000]], { attained: 99, remaining: -9 }],
])('a budget of 0.1%%: %s', (_, counts, expected) => {
  const steps = counts.map(([good = 0, total = 0], n) => ({ time: `2026-11-20T1${n}:00:00Z`, good, total }));
  expect(budgetOf(steps, 0.001)).toMatchObject(expected);
});
