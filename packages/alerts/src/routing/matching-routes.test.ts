import { expect, test } from 'vitest';
import type { NotificationRoute } from '@millrace/api/schemas/notification-route';
import { matchingRoutes, notifiersFor, type RoutedMonitor } from './matching-routes.js';

const routes: readonly NotificationRoute[] = [
  { name: 'all of them', notifierIds: ['log'], continue: true },
  { name: 'pages', labels: { team: 'payments' }, severities: ['critical'], notifierIds: ['pager', 'chat'] },
  { name: 'payments', labels: { team: 'payments' }, notifierIds: ['chat'] },
  { name: 'one monitor', monitorIds: ['mon_9'], notifierIds: [] },
  { name: 'errors', severities: ['error'], notifierIds: ['mail'] },
];
const monitor = (changes: Partial<RoutedMonitor>): RoutedMonitor => ({ id: 'mon_1', notifierIds: [], ...changes });

test.each<[string, Partial<RoutedMonitor>, string]>([
  ['a severity and a label', { labels: { team: 'payments', tier: '1' }, severity: 'critical' }, 'all of them, pages'],
  ['a label', { labels: { team: 'payments' }, severity: 'warning' }, 'all of them, payments'],
  ['another value of the label', { labels: { team: 'search' } }, 'all of them, errors'],
  ['no severity is an error', {}, 'all of them, errors'],
  ['a monitor, which has no other notifier', { id: 'mon_9' }, 'all of them, one monitor'],
  ['only a route that continues', { severity: 'info' }, 'all of them'],
])('%s', (_, changes, expected) =>
  expect(
    matchingRoutes(monitor(changes), routes)
      .map(({ route }) => route.name)
      .join(', '),
  ).toBe(expected),
);

test('notifies each notifier of the monitor once too', () =>
  expect(notifiersFor(monitor({ notifierIds: ['chat', 'own'], labels: { team: 'payments' } }), routes)).toEqual([
    'chat',
    'own',
    'log',
  ]));
