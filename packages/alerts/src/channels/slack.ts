import { humanBody, channel, truncate, headline, post } from './channel.js';
import { messageLinks } from './message-links.js';
import { hexColorOf } from './severity-color.js';

/** Slack's incoming webhooks: blocks, and a fallback text for clients without blocks. */
export const slack = channel({
  name: 'slack',
  delivery: ({ slackUrl }, notification, urls) => {
    const title = headline(notification);
    const body = truncate(humanBody(notification), 2800);
    const { description } = notification;
    const more = [
      ...(description === '' ? [] : [escapeText(truncate(description, 1000))]),
      ...messageLinks(urls).map(({ text, url }) => `<${url}|${text}>`),
      notification.severity,
      notification.timestamp,
    ];
    return post(slackUrl, {
      text: escapeText(truncate(`${title}: ${body}`, 3000)),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: truncate(title, 150), emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', text: truncate(escapeText(body), 3000) } },
      ],
      // Only attachments have a color.
      attachments: [
        {
          color: hexColorOf(notification),
          blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text: truncate(more.join(' · '), 3000) }] }],
        },
      ],
    });
  },
});

/** The three characters that mean something to Slack. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
