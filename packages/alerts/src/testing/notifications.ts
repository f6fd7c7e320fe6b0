import type { Notification } from '../outbox/notification.js';

/** A notification with some properties replaced. */
export const sampleNotification = (changes: Partial<Notification> = {}): Notification => ({
  monitorId: 'mon_1',
  title: 'Failed <requests> & "others"',
  description: 'What fails',
  action: 'Open',
  body: 'Current value of 12.5 is above the threshold value of 10 (service: a)',
  queryStartTime: '2026-11-20T10:00:00.000Z',
  queryEndTime: '2026-11-20T10:05:00.000Z',
  timestamp: '2026-11-20T10:05:00.123Z',
  value: 12.5,
  matchedEvent: null,
  groupKeys: ['service'],
  groupValues: ['a'],
  incident: 'millrace-mon_1-0123456789abcdef01234567',
  severity: 'error',
  ...changes,
});

export const sampleMatch = (event: Readonly<Record<string, unknown>>): Notification =>
  sampleNotification({
    body: JSON.stringify(event),
    value: 0,
    matchedEvent: event,
    groupKeys: null,
    groupValues: null,
    incident: 'millrace-mon_1-row',
  });
