import { bodyForPeople, channel, headline, post } from './channel.js';
import { eventObject } from './event-object.js';

/**
 * A POST with the event. What it holds is documented nowhere; with `text` beside it, chats that
 * take webhooks show something too.
 */
export const webhook = channel({
  name: 'webhook',
  delivery: ({ url }, notification, { id }) =>
    post(
      url,
      { ...eventObject(notification), text: `${headline(notification)}\n${bodyForPeople(notification)}` },
      { 'idempotency-key': id },
    ),
});
