import type { Notification } from '../outbox/notification.js';
import { headline, humanBody, truncate } from './channel.js';

/** Message as plain text, for receivers without formatting. */
export function plainMessage(notification: Notification, link: string | undefined, most: number): string {
  const end = link === undefined ? '' : `\n${link}`;
  const { description } = notification;
  const parts = [headline(notification), humanBody(notification), ...(description === '' ? [] : [description])];
  return `${truncate(parts.join('\n'), most - end.length)}${end}`;
}

/** Truncates a string to a maximum number of bytes in UTF-8. */
export function truncateBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  // A partial character at the end decodes to U+FFFD.
  const start = Buffer.from(text).subarray(0, most - 6);
  return `${start.toString('utf8').replace(/\uFFFD+$/, '')}…`;
}
