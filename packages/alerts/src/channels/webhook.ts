import { humanBody, channel, headline, post } from './channel.js';
import { eventObject } from './event-object.js';

/**
 * Posts the event as JSON. Axiom does not document the body; `text` makes chat webhooks show it
 * too.
 */
export const webhook = channel({
  name: 'webhook',
  delivery: ({ url }, notification, { id }) =>
    post(
      url,
      { ...eventObject(notification), text: `${headline(notification)}\n${humanBody(notification)}` },
      { 'idempotency-key': id },
    ),
});
