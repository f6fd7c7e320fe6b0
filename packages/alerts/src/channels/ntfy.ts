import { channel, headline, humanBody, post, truncate } from './channel.js';
import { responseLinks } from './message-links.js';
import { truncateBytes } from './plain-message.js';

/** Publishes as JSON, which is posted to the root of the server. */
export const ntfy = channel({
  name: 'ntfy',
  delivery: ({ ntfyUrl, topic, accessToken = '' }, notification, { link, respond }) => {
    const actions = responseLinks({ link, respond }).map(({ text, url }) => ({ action: 'view', label: text, url }));
    return post(
      ntfyUrl,
      {
        topic,
        title: truncate(headline(notification), 250),
        // Longer messages become attachments.
        message: truncateBytes(humanBody(notification), 4000),
        priority: notification.action === 'Closed' ? 3 : priorities[notification.severity],
        tags: [notification.action === 'Closed' ? 'white_check_mark' : 'rotating_light', notification.severity],
        ...(link !== undefined && { click: link }),
        ...(actions.length > 0 && { actions }),
      },
      accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` },
    );
  },
});

/** 5 vibrates and rings, 2 makes no sound. */
const priorities = { critical: 5, error: 4, warning: 3, info: 2 } as const;
