import type { Notification } from '../outbox/notification.js';
import { goTime } from '../templates/go-time.js';
import type { LinkUrls } from './message-links.js';

/** The JSON that a webhook gets if it has no custom template. */
export const eventObject = (notification: Notification, { link, respond }: LinkUrls) => ({
  action: notification.action,
  event: {
    monitorID: notification.monitorId,
    body: notification.body,
    description: notification.description,
    queryEndTime: goTime(notification.queryEndTime),
    queryStartTime: goTime(notification.queryStartTime),
    timestamp: goTime(notification.timestamp),
    title: notification.title,
    value: notification.value,
    matchedEvent: notification.matchedEvent,
    groupKeys: notification.groupKeys,
    groupValues: notification.groupValues,
    // Beyond the documented members.
    ...(link !== undefined && { monitorURL: link }),
    ...(respond !== undefined && { respondURL: respond }),
  },
});
