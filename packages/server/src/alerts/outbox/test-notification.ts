import type { Notifier } from '../../schemas/notifier.js';
import type { Notification } from './notification.js';

export const testMonitorId = 'test';

/** What is sent to see whether a notifier works. */
export const testNotification = (now: string): Notification => ({
  monitorId: testMonitorId,
  title: 'Monitor Test Triggered',
  description: 'Somebody tries out this notifier. Nothing is wrong.',
  action: 'Open',
  body: 'Current value of 42 is above the threshold value of 41',
  queryStartTime: now,
  queryEndTime: now,
  timestamp: now,
  value: 42,
  matchedEvent: null,
  groupKeys: null,
  groupValues: null,
  incident: 'millrace-test',
  severity: 'warning',
});

/** A body as it may be shown: PagerDuty takes its key in there. */
export function withoutKey(body: string, { properties }: Pick<Notifier, 'properties'>): string {
  const key = properties.pagerduty?.routingKey ?? '';
  return key === '' ? body : body.replaceAll(JSON.stringify(key), '"…"');
}
