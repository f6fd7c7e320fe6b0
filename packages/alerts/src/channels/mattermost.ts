import { channel, escapeMarkdown, headline, humanBody, post, truncate } from './channel.js';
import { markdownLinks, responseLinks } from './message-links.js';
import { hexColorOf } from './severity-color.js';

/** Incoming webhooks of Mattermost: one message attachment. */
export const mattermost = channel({
  name: 'mattermost',
  delivery: ({ mattermostUrl }, notification, { link, respond }) =>
    post(mattermostUrl, {
      attachments: [
        {
          fallback: withoutMentions(truncate(`${headline(notification)}: ${humanBody(notification)}`, 1000)),
          color: hexColorOf(notification),
          title: withoutMentions(truncate(headline(notification), 300)),
          ...(link !== undefined && { title_link: link }),
          text: [
            truncate(withoutMentions(escapeMarkdown(humanBody(notification))), 12_000),
            ...markdownLinks(responseLinks({ link, respond })),
          ].join('\n\n'),
          footer: truncate(notification.description, 1000),
        },
      ],
    }),
});

/** Text of events must not mention users: adds a zero-width space after each `@`. */
const withoutMentions = (text: string): string => text.replaceAll('@', '@\u200b');
