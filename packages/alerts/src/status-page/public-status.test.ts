import { expect, test } from 'vitest';
import { storedMonitor } from '../testing/monitors.js';
import { publicStatus } from './public-status.js';

const now = Date.parse('2026-11-30T00:00:00Z');
const page = {
  enabled: true,
  title: 'Shop',
  monitors: [
    { monitorId: 'mon_a', name: 'Checkout' },
    { monitorId: 'mon_gone', name: 'Gone' },
  ],
};
const status = { id: 'mon_a', openGroups: [], openGroupCount: 0 };
const since = '2026-11-29T12:00:00Z';
const openGroups = [{ keys: ['host'], values: ['secret'], since, state: 'open' as const }];
const incident = (openedAt: string, closedAt?: string) => ({
  id: '1',
  monitorId: 'mon_a',
  name: 'Load (secret)',
  openedAt,
  ...(closedAt !== undefined && { closedAt }),
});

test.each([
  ['ok', {}, 'operational'],
  ['open', {}, 'disrupted'],
  ['nodata', {}, 'disrupted'],
  ['open', { severity: 'warning' }, 'degraded'],
  ['error', {}, 'unknown'],
  ['off', {}, 'unknown'],
] as const)('a monitor that is %s, %j', (state, change, expected) => {
  const monitors = [storedMonitor({ id: 'mon_a', ...change })];
  const found = publicStatus(page, { monitors, statuses: [{ ...status, state }], incidents: [], now });
  expect([found.state, found.components.map((each) => [each.name, each.state])]).toEqual([
    expected,
    [['Checkout', expected]],
  ]);
});

test('nothing of groups, values and names is public', () => {
  const monitors = [{ ...storedMonitor({ id: 'mon_a', name: 'internal' }), createdAt: '2026-10-01T00:00:00Z' }];
  const statuses = [{ ...status, state: 'open' as const, openGroups }];
  const found = publicStatus(page, { monitors, statuses, incidents: [incident(since)], now });
  expect(JSON.stringify(found)).not.toMatch(/secret|internal|mon_a/);
  expect(found.components[0]).toMatchObject({ since, days: expect.objectContaining({ length: 30 }) });
});

test('days count each moment once, also of overlapping incidents', () => {
  const incidents = [
    incident('2026-11-28T18:00:00Z', '2026-11-29T06:00:00Z'),
    incident('2026-11-28T20:00:00Z', '2026-11-29T03:00:00Z'),
    incident('2026-11-29T12:00:00Z'),
  ];
  const { components } = publicStatus(page, {
    monitors: [storedMonitor({ id: 'mon_a' })],
    statuses: [{ ...status, state: 'ok' }],
    incidents,
    now,
  });
  expect(components[0]?.days.slice(-3)).toEqual([0, 0.25, 0.75]);
});

test('days before the monitor existed are left out', () => {
  const createdAt = '2026-11-27T12:00:00Z';
  const { components } = publicStatus(page, {
    monitors: [{ ...storedMonitor({ id: 'mon_a' }), createdAt }],
    statuses: [{ ...status, state: 'ok' }],
    incidents: [],
    now,
  });
  expect(components[0]?.days).toEqual([0, 0, 0]);
});
