import type { ChannelName, PropertiesOf } from '@millrace/api/schemas/notifier';
import type { Notification } from '../outbox/notification.js';

/** Channels: format of a notification, and meaning of responses. */

export interface HttpRequest {
  /** Default: POST. */
  readonly method?: 'PUT';
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
  /** Equal for all attempts, so that receivers can detect duplicates. */
  readonly messageId: string;
  /** Equal for all messages about an incident. */
  readonly thread: string;
}

export type Delivery =
  | { readonly kind: 'http'; readonly request: HttpRequest }
  | { readonly kind: 'mail'; readonly mails: readonly Mail[] };

/** Outcome of an attempt. */
export type Attempt =
  | { readonly kind: 'delivered' }
  /** A retry may succeed, after this many milliseconds if the receiver said so. */
  | { readonly kind: 'later'; readonly problem: string; readonly after?: number }
  | { readonly kind: 'failed'; readonly problem: string };

export interface ChannelContext {
  /** Equal for all attempts of a notification. */
  readonly id: string;
  /** URL of the monitor's page in the console. */
  readonly link: string | undefined;
  /** URL of the page to acknowledge or snooze, without sign-in. */
  readonly respond?: string | undefined;
  readonly opsgenieUrl: string | undefined;
  /** Time of the attempt, milliseconds since the epoch; signatures contain it. */
  readonly now: number;
  /** Compute budget of one template. */
  readonly templateSteps: number;
}

export interface Channel<Name extends ChannelName> {
  readonly name: Name;
  /** The channel has one incident per group, so each group gets a separate notification. */
  readonly perGroup?: true;
  delivery(properties: PropertiesOf<Name>, notification: Notification, context: ChannelContext): Delivery;
  /** Interprets a response if the status alone is not enough. */
  readonly judge?: (answer: HttpAnswer) => Attempt | undefined;
}

export const channel = <Name extends ChannelName>(record: Channel<Name>): Channel<Name> => record;

export const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Delivery => ({
  kind: 'http',
  request: { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
});

/** Posts members as a form. */
export const form = (
  url: string,
  members: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  ({
    kind: 'http',
    request: {
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(members).toString(),
    },
  }) as const satisfies Delivery;

/** Header of basic authentication. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Interprets the status as most receivers use it. */
export function classifyStatus({ status, headers, text }: HttpAnswer): Attempt {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const problem = `${status}${text.trim() === '' ? '' : `: ${firstLine(text)}`}`;
  if (status >= 300 && status < 400)
    return {
      kind: 'failed',
      problem: `${status}: redirect to ${headers['location'] ?? 'another address'} not followed; use that URL`,
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

/** The first line of a response, shortened for messages and the history. */
export const firstLine = (text: string): string =>
  truncate((text.trim().split('\n')[0] ?? '').replaceAll(/[\p{Cc}]/gu, ' '), 200);

/** Truncates a string to a maximum number of characters, ending in an ellipsis. */
export const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Characters that are formatting in the Markdown of chats, anywhere or at the start of a line. */
const markdown = /[\\*_~`|[\]<>]|^[ \t]*(?:[#+-]|\d+[.)])/gm;

/** Escapes Markdown, so that text of events is shown as it is. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(markdown, (match) => `${match.slice(0, -1)}\\${match.slice(-1)}`);

/** `[Triggered] name` */
export const headline = ({ action, title }: Notification): string =>
  `${action === 'Open' ? 'Triggered' : 'Resolved'}: ${title}`;

/** The words for chats: an event that matched is shown with a line for each field. */
export function humanBody({ body, matchedEvent, hasOwnBody }: Notification): string {
  if (matchedEvent === null || hasOwnBody === true) return body;
  return Object.entries(matchedEvent)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
