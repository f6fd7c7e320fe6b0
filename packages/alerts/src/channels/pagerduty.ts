import type { Notification } from '../outbox/notification.js';
import { channel, truncate, post } from './channel.js';
import { type LinkUrls, messageLinks } from './message-links.js';

/** Events API v2 of PagerDuty: an incident is opened, joined by repeats and closed by its key. */
export const pagerduty = channel({
  name: 'pagerduty',
  perGroup: true,
  delivery: ({ routingKey, isEU = false }, notification, urls) => {
    const event = eventOf(routingKey, notification, urls);
    const isLong = Buffer.byteLength(JSON.stringify(event)) > maxBytes;
    const { custom_details: _, ...payload } = event.payload;
    const host = isEU ? 'events.eu.pagerduty.com' : 'events.pagerduty.com';
    return post(`https://${host}/v2/enqueue`, isLong ? { ...event, payload } : event);
  },
});

const maxBytes = 500_000;

function linksMember(urls: LinkUrls) {
  const links = messageLinks(urls).map(({ text, url }) => ({ href: url, text }));
  return links.length > 0 && { links };
}

const eventOf = (routingKey: string, notification: Notification, urls: LinkUrls) => ({
  routing_key: routingKey,
  event_action: notification.action === 'Open' ? 'trigger' : 'resolve',
  dedup_key: truncate(notification.incident, 255),
  client: 'Millrace',
  ...(urls.link !== undefined && { client_url: urls.link }),
  ...linksMember(urls),
  payload: {
    summary: truncate(`${notification.title}: ${notification.body}`, 1024),
    source: 'millrace',
    severity: notification.severity,
    timestamp: notification.timestamp,
    component: notification.title,
    ...(notification.groupValues !== null && { group: truncate(notification.groupValues.map(String).join(', '), 255) }),
    custom_details: {
      description: notification.description,
      body: notification.body,
      value: notification.value,
      queryStartTime: notification.queryStartTime,
      queryEndTime: notification.queryEndTime,
      ...(notification.matchedEvent !== null && { matchedEvent: notification.matchedEvent }),
    },
  },
});
