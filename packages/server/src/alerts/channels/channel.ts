import type { ChannelName, PropertiesOf } from '../../schemas/notifier.js';
import type { Notification } from '../outbox/notification.js';

/** What a channel is: how a notification looks there, and what its answers mean. */

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly text: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt, so that receivers can see that it is the same message. */
  readonly messageId: string;
  /** The same for all messages about the same incident. */
  readonly thread: string;
}

export type Delivery =
  | { readonly kind: 'http'; readonly request: HttpRequest }
  | { readonly kind: 'mail'; readonly mails: readonly Mail[] };

/** What became of an attempt. */
export type Attempt =
  | { readonly kind: 'delivered' }
  /** It may work later, not before so many milliseconds if the receiver said so. */
  | { readonly kind: 'later'; readonly problem: string; readonly after?: number }
  | { readonly kind: 'failed'; readonly problem: string };

export interface ChannelContext {
  /** The same for every attempt of a notification. */
  readonly id: string;
  /** Page of the monitor for people. */
  readonly link: string | undefined;
  readonly opsgenieUrl: string | undefined;
  /** What one template may take. */
  readonly templateSteps: number;
}

export interface Channel<Name extends ChannelName> {
  readonly name: Name;
  /** Each group has an incident of its own there, so each opening is told by itself. */
  readonly perGroup?: true;
  delivery(properties: PropertiesOf<Name>, notification: Notification, context: ChannelContext): Delivery;
  /** What an answer means, where the status alone does not tell. */
  readonly judge?: (answer: HttpAnswer) => Attempt | undefined;
}

export const channel = <Name extends ChannelName>(record: Channel<Name>): Channel<Name> => record;

export const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Delivery => ({
  kind: 'http',
  request: { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
});

/** What most receivers mean by their status. */
export function judgeByStatus({ status, headers, text }: HttpAnswer): Attempt {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const problem = `${status}${text.trim() === '' ? '' : `: ${firstLine(text)}`}`;
  if (status >= 300 && status < 400)
    return {
      kind: 'failed',
      problem: `${status}: it leads to ${headers['location'] ?? 'another address'}, which is not followed; give that address`,
    };
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'failed', problem };
  const after = retryAfter(headers['retry-after']);
  return { kind: 'later', problem, ...(after !== undefined && { after }) };
}

/** Seconds or a date; milliseconds from now. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

const firstLine = (text: string): string => clip((text.trim().split('\n')[0] ?? '').replaceAll(/[\p{Cc}]/gu, ' '), 200);

/** A text of at most so many characters; what is cut off leaves an ellipsis. */
export const clip = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** `[Triggered] name` */
export const headline = ({ action, title }: Notification): string =>
  `${action === 'Open' ? 'Triggered' : 'Resolved'}: ${title}`;

/** The words for chats: an event that matched is shown with a line for each field. */
export function bodyForPeople({ body, matchedEvent }: Notification): string {
  if (matchedEvent === null) return body;
  return Object.entries(matchedEvent)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
