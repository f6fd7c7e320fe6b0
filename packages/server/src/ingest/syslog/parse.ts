import type { ListenerFormat } from '../../settings/listener-address.js';
import { localTime } from './local-time.js';
import { priorityOf } from './severities.js';

/** A message of syslog; what it does not say is not there. */
export interface SyslogMessage {
  /** In a form that the encoder reads. */
  readonly time?: string | undefined;
  readonly severity?: string | undefined;
  readonly facility?: string | undefined;
  readonly hostname?: string | undefined;
  readonly application?: string | undefined;
  readonly procId?: string | undefined;
  readonly msgId?: string | undefined;
  readonly message: string;
  /** Structured data: element → parameter → value. */
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

export interface SyslogOptions {
  /** Milliseconds since the epoch. */
  readonly arrival: number;
  /** Minutes that local times are ahead of UTC. */
  readonly zone: number;
  /** How messages are read; `raw` are those of which nothing is read. */
  readonly format?: ListenerFormat;
}

/**
 * Reads a message of RFC 5424 or 3164, or of the variants that devices send. What is neither is a
 * message as a whole.
 */
export function parseSyslog(sent: string, options: SyslogOptions): SyslogMessage {
  const text = sent.slice(0, endOf(sent));
  const { format = 'auto' } = options;
  if (format === 'raw') return { message: text };
  const header = /^<(\d{1,3})>\s*/.exec(text);
  if (header === null) return { message: text };
  const priority = priorityOf(header[1]!);
  const rest = text.slice(header[0].length);
  const message =
    (format === '3164' ? undefined : modern(rest)) ?? (format === '5424' ? { message: rest } : old(rest, options));
  return { ...priority, ...message };
}

/**
 * Where a message ends, without what its sender ends lines with. By hand: a pattern would look
 * behind every line feed within it, again and again.
 */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && '\r\n\0'.includes(text[end - 1]!)) end--;
  return end;
}

const given = (text: string | undefined): string | undefined => (text === undefined || text === '-' ? undefined : text);

/** `1 TIME HOST APP PROCID MSGID DATA MESSAGE` (RFC 5424), with `-` for what is not there. */
function modern(text: string): SyslogMessage | undefined {
  const match = /^1 +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)(?: +|$)([\s\S]*)$/.exec(text);
  if (match === null) return undefined;
  const [, time, hostname, application, procId, msgId, behind = ''] = match;
  const { metadata, rest } = structuredData(behind);
  return {
    time: given(time),
    hostname: given(hostname),
    application: given(application),
    procId: given(procId),
    msgId: given(msgId),
    metadata,
    message: rest.replace(/^\u{FEFF}/u, ''),
  };
}

/** One element of structured data, and a parameter in it. */
const element = /^\[([^\s=\]"]+)((?:\s+[^\s=\]"]+="(?:[^"\\]|\\[\s\S])*")*)\s*\]/;
const parameter = /([^\s=\]"]+)="((?:[^"\\]|\\[\s\S])*)"/g;

/** Structured data, and the text behind it. What is not well-formed is part of the text. */
function structuredData(text: string): Pick<SyslogMessage, 'metadata'> & { readonly rest: string } {
  if (/^-( |$)/.test(text)) return { rest: text.slice(2) };
  const metadata = new Map<string, Record<string, string>>();
  let rest = text;
  for (let match = element.exec(rest); match !== null; match = element.exec(rest)) {
    const [whole, id = '', parameters = ''] = match;
    rest = rest.slice(whole.length);
    // It says how good the sender's clock is, and is in every message of some.
    if (id === 'timeQuality') continue;
    const values = [...parameters.matchAll(parameter)].map(
      ([, name = '', value = '']) => [name, value.replaceAll(/\\(["\\\]])/g, '$1')] as const,
    );
    // The number of the enterprise that has defined it.
    metadata.set(id.replace(/@.*$/, ''), Object.fromEntries(values));
  }
  return { ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }), rest: rest.replace(/^ /, '') };
}

const stamps = [
  // 2026-09-21T14:13:20.5Z
  /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?):? +/,
  // Sep 21 14:13:20, perhaps with a year, fractions, and what Cisco writes before it: a number,
  // and * or . if its clock is not set.
  /^(?:\d+: +)?[*.]?((?:[A-Z][a-z]{2}) +\d{1,2} +(?:\d{4} +)?\d\d:\d\d:\d\d(?:\.\d+)?(?: +\d{4}(?= ))?)(?: +[A-Z]{3,4})?:? +/,
] as const;

/** `TIME HOST TAG[PID]: MESSAGE` (RFC 3164), of which any part may be missing. */
function old(text: string, options: SyslogOptions): SyslogMessage {
  const stamp = stamps.map((each) => each.exec(text)).find((match) => match !== null);
  if (stamp === undefined) return { ...tagged(text) };
  const time = localTime(stamp[1]!, options);
  const rest = text.slice(stamp[0].length);
  const host = /^([^\s:[\]%]+) +/.exec(rest);
  // Without a host, the tag comes at once.
  if (host === null || /^[^\s[\]]+(\[\d+\])?: /.test(rest)) return { time, ...tagged(rest) };
  return { time, hostname: host[1], ...tagged(rest.slice(host[0].length)) };
}

function tagged(text: string): SyslogMessage {
  const match = /^([^\s:[\]]{1,64})(?:\[([^\]\s]{1,64})\])?: ?([\s\S]*)$/.exec(text);
  if (match === null) return { message: text };
  const [, application, procId, message = ''] = match;
  return { application, procId, message };
}
