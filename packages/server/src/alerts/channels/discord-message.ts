import type { Notification } from '../outbox/notification.js';
import { type Attempt, bodyForPeople, clip, headline, type HttpAnswer, judgeByStatus } from './channel.js';

/** The message that both ways into Discord take. */
export function discordMessage(notification: Notification, link: string | undefined) {
  const { action, description, timestamp, severity } = notification;
  return {
    // What is in an event must not call people.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: clip(headline(notification), 256),
        description: clip(bodyForPeople(notification), 3500),
        color: action === 'Closed' ? green : severity === 'warning' ? yellow : red,
        timestamp,
        ...(link !== undefined && { url: link }),
        ...(description !== '' && { footer: { text: clip(description, 1500) } }),
      },
    ],
  };
}

const red = 0xe01e5a;
const yellow = 0xecb22e;
const green = 0x2eb67d;

/** Discord says how long to wait in the body. */
export function judgeDiscord(answer: HttpAnswer): Attempt | undefined {
  if (answer.status !== 429) return undefined;
  const judged = judgeByStatus(answer);
  const seconds = /"retry_after"\s*:\s*([\d.]+)/.exec(answer.text)?.[1];
  return seconds === undefined || judged.kind !== 'later' ? judged : { ...judged, after: Number(seconds) * 1000 };
}
