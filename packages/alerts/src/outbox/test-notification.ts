import type { Notifier } from '@millrace/api/schemas/notifier';
import type { Notification } from './notification.js';

export const testMonitorId = 'test';

/** Test notification that checks whether a notifier works. */
export const testNotification = (now: string): Notification => ({
  monitorId: testMonitorId,
  title: 'Monitor Test Triggered',
  description: 'This is a test notification.',
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
