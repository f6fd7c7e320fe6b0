import { renderBody } from '../templates/render-body.js';
import { channel, post } from './channel.js';
import { eventObject } from './event-object.js';
import { isCustomHeader } from './own-headers.js';

/** A POST whose body and headers are the user's own. */
export const customWebhook = channel({
  name: 'customWebhook',
  delivery: (
    { url, body = '', headers = {}, secretHeaders = {} },
    notification,
    { id, templateSteps, link, respond },
  ) => {
    // Later names win, ignoring case: secret headers override others.
    const given = lowerCase({ 'idempotency-key': id, 'content-type': 'application/json' }, headers, secretHeaders);
    if (body === '') return post(url, eventObject(notification, { link, respond }), given);
    const isJson = /^application\/(.+\+)?json\b/i.test(given['content-type'] ?? '');
    return {
      kind: 'http',
      request: { url, headers: given, body: renderBody(body, notification, { isJson, templateSteps, link, respond }) },
    };
  },
});

const lowerCase = (...all: readonly Readonly<Record<string, string>>[]): Record<string, string> =>
  Object.fromEntries(
    all
      .flatMap((headers) => Object.entries(headers))
      // Notifiers of earlier versions may have others.
      .filter(([name]) => isCustomHeader(name))
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
