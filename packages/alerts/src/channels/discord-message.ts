import type { Notification } from '../outbox/notification.js';
import {
  type Attempt,
  escapeMarkdown,
  humanBody,
  truncate,
  headline,
  type HttpAnswer,
  classifyStatus,
} from './channel.js';
import { type LinkUrls, markdownLinks, responseLinks } from './message-links.js';
import { colorOf } from './severity-color.js';

/** The message that both ways into Discord take. */
export function discordMessage(notification: Notification, urls: LinkUrls) {
  const { description, timestamp } = notification;
  return {
    // Text from an event must not mention users.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: truncate(escapeMarkdown(headline(notification)), 256),
        description: [
          truncate(escapeMarkdown(humanBody(notification)), 3500),
          ...markdownLinks(responseLinks(urls)),
        ].join('\n\n'),
        color: colorOf(notification),
        timestamp,
        ...(urls.link !== undefined && { url: urls.link }),
        ...(description !== '' && { footer: { text: truncate(description, 1500) } }),
      },
    ],
  };
}

/** Discord puts the delay before a retry in the body. */
export function judgeDiscord(answer: HttpAnswer): Attempt | undefined {
  if (answer.status !== 429) return undefined;
  const judged = classifyStatus(answer);
  const seconds = /"retry_after"\s*:\s*([\d.]+)/.exec(answer.text)?.[1];
  return seconds === undefined || judged.kind !== 'later' ? judged : { ...judged, after: Number(seconds) * 1000 };
}
