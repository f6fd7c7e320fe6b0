import type { ListenerFormat } from '@millrace/http/settings/listener-address';
import { timedMessage, untimedMessage } from './old-message.js';
import { priorityOf } from './severities.js';

/** A parsed syslog message; missing parts are undefined. */
export interface SyslogMessage {
  /** In a format that the encoder accepts. */
  readonly time?: string | undefined;
  readonly severity?: string | undefined;
  readonly facility?: string | undefined;
  readonly hostname?: string | undefined;
  readonly application?: string | undefined;
  readonly procId?: string | undefined;
  readonly msgId?: string | undefined;
  readonly message: string;
  /** Structured data: element → parameter → value. */
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, ParameterValue>>>> | undefined;
}

/** A parameter that an element has several times has all of its values. */
type ParameterValue = string | readonly string[];

export interface SyslogOptions {
  /** Milliseconds since the epoch. */
  readonly arrival: number;
  /** Minutes that local times are ahead of UTC. */
  readonly zone: number;
  /** Format of messages; `raw` messages are not parsed. */
  readonly format?: ListenerFormat;
}

/**
 * Parses a message of RFC 5424 or 3164, or of the variants that devices send, also without a
 * priority. Any other text becomes the message field.
 */
export function parseSyslog(sent: string, options: SyslogOptions): SyslogMessage {
  const text = sent.slice(0, endOf(sent));
  const { format = 'auto' } = options;
  if (format === 'raw') return { message: text };
  const header = /^<(\d{1,3})>\s*/.exec(text);
  const rest = header === null ? text : text.slice(header[0].length);
  // Without a priority, only the time distinguishes a header from text that starts with a number.
  const isModern = format !== '3164' && (header !== null || /^1 +\d{4}-\d\d-\d\dT/.test(rest));
  const message =
    (isModern ? modern(rest) : undefined) ?? (format === '5424' ? undefined : timedMessage(rest, options));
  if (header === null) return message ?? { message: text };
  const priority = priorityOf(header[1]!);
  return {
    ...(message ?? (format === '5424' ? { message: rest } : untimedMessage(isEmpty(priority) ? text : rest))),
    ...priority,
  };
}

/** Of an invalid priority, which stays in the message. */
const isEmpty = (priority: ReturnType<typeof priorityOf>): boolean => priority.severity === undefined;

/**
 * Returns the end of a message without line terminators. Hand-written, because a regular expression
 * would backtrack at every line feed.
 */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && '\r\n\0'.includes(text[end - 1]!)) end--;
  return end;
}

const givenText = (text: string | undefined): string | undefined =>
  text === undefined || text === '-' ? undefined : text;

/** Parses `1 TIME HOST APP PROCID MSGID DATA MESSAGE` (RFC 5424); `-` marks missing parts. */
function modern(text: string): SyslogMessage | undefined {
  const match = /^1 +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)(?: +|$)([\s\S]*)$/.exec(text);
  if (match === null) return undefined;
  const [, time, hostname, application, procId, msgId, behind = ''] = match;
  const { metadata, rest } = structuredData(behind);
  return {
    time: givenText(time),
    hostname: givenText(hostname),
    application: givenText(application),
    procId: givenText(procId),
    msgId: givenText(msgId),
    metadata,
    message: rest.replace(/^\u{FEFF}/u, ''),
  };
}

/** One element of structured data, and a parameter in it. */
const element = /^\[([^\s=\]"]+)((?:\s+[^\s=\]"]+="(?:[^"\\]|\\[\s\S])*")*)\s*\]/;
const parameter = /([^\s=\]"]+)="((?:[^"\\]|\\[\s\S])*)"/g;

/** Parses structured data and the text after it. Malformed structured data counts as text. */
function structuredData(text: string): Pick<SyslogMessage, 'metadata'> & { readonly rest: string } {
  if (/^-( |$)/.test(text)) return { rest: text.slice(2) };
  const metadata = new Map<string, Map<string, string[]>>();
  let rest = text;
  for (let match = element.exec(rest); match !== null; match = element.exec(rest)) {
    const [whole, id = '', parameters = ''] = match;
    rest = rest.slice(whole.length);
    // It describes the quality of the sender's clock; some senders put it in every message.
    if (id === 'timeQuality') continue;
    // The number of the enterprise that has defined it.
    const name = id.replace(/@.*$/, '');
    const values = metadata.get(name) ?? new Map<string, string[]>();
    metadata.set(name, values);
    for (const [, key = '', value = ''] of parameters.matchAll(parameter)) {
      const read = value.replaceAll(/\\(["\\\]])/g, '$1');
      const known = values.get(key);
      if (known === undefined) values.set(key, [read]);
      else known.push(read);
    }
  }
  const elements = [...metadata].map(([id, values]) => [id, Object.fromEntries([...values].map(single))] as const);
  return {
    ...(elements.length > 0 && { metadata: Object.fromEntries(elements) }),
    rest: rest.replace(/^ /, ''),
  };
}

const single = ([name, values]: readonly [string, readonly string[]]): readonly [string, ParameterValue] => [
  name,
  values.length === 1 ? values[0]! : values,
];
