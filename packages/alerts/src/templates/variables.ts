import type { LinkUrls } from '../channels/message-links.js';
import type { Notification } from '../outbox/notification.js';
import { goTime } from './go-time.js';

/** Variables of a template for a notification. */
export const valuesFor = (notification: Notification, { link = '', respond = '' }: LinkUrls) => ({
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
  MonitorURL: link,
  RespondURL: respond,
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
  MonitorURL: true,
  RespondURL: true,
};
export const variables: ReadonlySet<string> = new Set(Object.keys(names));
