import type { WriteMonitor, WriteStarredQuery } from '@millrace/client';
import type { Client } from '../connection/client.js';
import { shopBoard } from './shop-dashboard.js';

/**
 * Seeds the demo shop with saved queries, monitors, a dashboard and an annotation of the release
 * that failed.
 */

const monitors: readonly WriteMonitor[] = [
  {
    name: 'Checkout fails',
    description: 'More than fifty failed requests in the last hour.',
    type: 'Threshold',
    aplQuery: "logs | where service == 'checkout' and status >= 500 | summarize count()",
    operator: 'Above',
    threshold: 50,
    intervalMinutes: 1,
    rangeMinutes: 60,
  },
  {
    name: 'Slow requests',
    description: 'The slowest of each service, a minute at a time.',
    type: 'Threshold',
    aplQuery: 'logs | summarize percentile(duration_ms, 95) by service, bin(_time, 1m)',
    operator: 'Above',
    threshold: 1000,
    notifyByGroup: true,
    intervalMinutes: 1,
    rangeMinutes: 5,
  },
  {
    name: 'Requests as usual',
    description: 'The number of requests in a minute, against the minutes before it.',
    type: 'AnomalyDetection',
    aplQuery: 'logs | summarize count() by bin(_time, 1m)',
    operator: 'AboveOrBelow',
    tolerance: 4,
    intervalMinutes: 1,
    rangeMinutes: 30,
  },
  {
    name: 'Unavailable',
    description: 'Each request that was answered 503.',
    type: 'MatchEvent',
    aplQuery: 'logs | where status == 503',
  },
];

const savedQueries: readonly { readonly name: string; readonly apl: string }[] = [
  {
    name: 'What fails since the release',
    apl: 'logs | where status >= 500 | summarize count() by bin(_time, 1m), service, version',
  },
  {
    name: 'Slowest routes',
    apl: 'logs | summarize requests = count(), p50 = percentile(duration_ms, 50), p95 = percentile(duration_ms, 95) by service, route | order by p95 desc',
  },
  { name: 'Failed payments', apl: "logs | where route == '/pay' and isnotnull(error.type)" },
  {
    name: 'Time in each kind of span',
    apl: 'traces | summarize spans = count(), p95 = percentile(duration, 95) by service.name, name | order by p95 desc',
  },
];

const savedQuery = ({ name, apl }: (typeof savedQueries)[number]): WriteStarredQuery => ({
  kind: 'apl',
  name,
  query: { apl, startTime: 'now-1h', endTime: 'now' },
  who: 'team',
});

/**
 * Creates all resources, once the first hour of events is sent.
 * @throws AnswerError, ConnectionError
 */
export async function seedShop(client: Pick<Client, 'call'>, released: Date): Promise<void> {
  await client.call('createAnnotation', {
    body: {
      datasets: ['logs', 'traces'],
      type: 'deploy',
      time: released.toISOString(),
      title: 'checkout 1.5.0',
      description: 'A new version of one service.',
    },
  });
  for (const query of savedQueries) await client.call('createStarredQuery', { body: savedQuery(query) });
  for (const monitor of monitors) await client.call('createMonitor', { body: monitor });
  await client.call('createDashboard', { body: { dashboard: shopBoard, uid: 'the-shop' } });
}
