import { bodyForPeople, channel, clip, headline, post } from './channel.js';

/** Incoming webhooks of Slack: blocks, and a text for where they cannot be shown. */
export const slack = channel({
  name: 'slack',
  delivery: ({ slackUrl }, notification, { link }) => {
    const title = headline(notification);
    const body = clip(bodyForPeople(notification), 2800);
    const { description } = notification;
    const more = [
      ...(description === '' ? [] : [escaped(clip(description, 1000))]),
      ...(link === undefined ? [] : [`<${link}|Open the monitor>`]),
      notification.timestamp,
    ];
    return post(slackUrl, {
      text: escaped(clip(`${title}: ${body}`, 3000)),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: clip(title, 150), emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', text: clip(escaped(body), 3000) } },
        { type: 'context', elements: [{ type: 'mrkdwn', text: clip(more.join(' · '), 3000) }] },
      ],
    });
  },
});

/** The three characters that mean something to Slack. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
