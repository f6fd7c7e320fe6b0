import { humanBody, channel, truncate, post } from './channel.js';
import { responseLinks } from './message-links.js';

/** Alerts of Opsgenie and compatible products: an alert is closed by its alias. */
export const opsgenie = channel({
  name: 'opsgenie',
  perGroup: true,
  delivery: ({ apiKey, isEU = false }, notification, { link, respond, opsgenieUrl }) => {
    const base = opsgenieUrl ?? (isEU ? 'https://api.eu.opsgenie.com' : 'https://api.opsgenie.com');
    const headers = { authorization: `GenieKey ${apiKey}` };
    const alias = truncate(notification.incident, 512);
    if (notification.action === 'Closed')
      return post(
        `${base}/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`,
        { source: 'millrace', note: truncate(notification.body, 25_000) },
        headers,
      );
    const { groupKeys, groupValues, description, value } = notification;
    const groups = (groupValues ?? []).map((label, i) => [groupKeys?.[i] ?? 'group', String(label)] as const);
    return post(
      `${base}/v2/alerts`,
      {
        message: truncate(notification.title, 130),
        alias,
        description: truncate(
          [humanBody(notification), description].filter((text) => text !== '').join('\n\n'),
          15_000,
        ),
        details: {
          value: String(value),
          ...Object.fromEntries(groups),
          ...(link !== undefined && { link }),
          ...Object.fromEntries(responseLinks({ link, respond }).map(({ text, url }) => [text, url])),
        },
        source: 'millrace',
        priority: priorities[notification.severity],
      },
      headers,
    );
  },
});

/** Opsgenie priority by severity; only `critical` pages. */
const priorities = { critical: 'P1', error: 'P3', warning: 'P4', info: 'P5' } as const;
