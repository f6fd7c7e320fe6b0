import type { Notification } from '../outbox/notification.js';
import { goTime } from './go-time.js';

/** Variables of a template for a notification. */
export const valuesFor = (notification: Notification) => ({
  Action: notification.action,
  MonitorID: notification.monitorId,
  Title: notification.title,
  Description: notification.description,
  Body: notification.body,
  QueryStartTime: goTime(notification.queryStartTime),
  QueryEndTime: goTime(notification.queryEndTime),
  Timestamp: goTime(notification.timestamp),
  Value: notification.value,
  MatchedEvent: notification.matchedEvent,
  GroupKeys: notification.groupKeys,
  GroupValues: notification.groupValues,
});

type Variable = keyof ReturnType<typeof valuesFor>;

const names: Readonly<Record<Variable, true>> = {
  Action: true,
  MonitorID: true,
  Title: true,
  Description: true,
  Body: true,
  QueryStartTime: true,
  QueryEndTime: true,
  Timestamp: true,
  Value: true,
  MatchedEvent: true,
  GroupKeys: true,
  GroupValues: true,
};
export const variables: ReadonlySet<string> = new Set(Object.keys(names));
