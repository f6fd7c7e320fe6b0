import type { Notification } from '../outbox/notification.js';
import { headline, humanBody, truncate } from './channel.js';
import { type LinkUrls, responseLinks } from './message-links.js';

/** Message as plain text, for receivers without formatting. */
export function plainMessage(notification: Notification, links: LinkUrls, max: number): string {
  const end = linkLines(links);
  const { description } = notification;
  const parts = [headline(notification), humanBody(notification), ...(description === '' ? [] : [description])];
  return `${truncate(parts.join('\n'), max - end.length)}${end}`;
}

/** A line for each link, each after a line break. */
export function linkLines(urls: LinkUrls): string {
  const lines = [urls.link ?? [], responseLinks(urls).map(({ text, url }) => `${text}: ${url}`)].flat();
  return lines.map((line) => `\n${line}`).join('');
}

/** Truncates a string to a maximum number of bytes in UTF-8. */
export function truncateBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  // A partial character at the end decodes to U+FFFD.
  const start = Buffer.from(text).subarray(0, max - 6);
  return `${start.toString('utf8').replace(/\uFFFD+$/, '')}…`;
}
