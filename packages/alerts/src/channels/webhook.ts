import { humanBody, channel, headline, post } from './channel.js';
import { eventObject } from './event-object.js';
import { linkLines } from './plain-message.js';

/**
 * Posts the event as JSON. Axiom does not document the body; `text` makes chat webhooks show it
 * too.
 */
export const webhook = channel({
  name: 'webhook',
  delivery: ({ url }, notification, { id, ...urls }) =>
    post(
      url,
      {
        ...eventObject(notification, urls),
        text: `${headline(notification)}\n${humanBody(notification)}${linkLines(urls)}`,
      },
      { 'idempotency-key': id },
    ),
});
