import { isIPv6 } from 'node:net';
import { localTime } from './local-time.js';
import type { SyslogMessage, SyslogOptions } from './parse.js';
import { severityOf } from './severities.js';

/**
 * Prefix of Cisco devices before the time: counters of the sender and of the device, optionally
 * with its name between them, a mark if its clock is not set, and on IOS XR the card.
 */
const beforeTime =
  /^:? ?(?:\d+: +)?(?:(?!\d+: )([^\s:]+|[\da-fA-F:]+:[\da-fA-F:]+): +)?(?:\d+: +)?(?:(?:([^\s:]+) +)?\w+(?:\/\w+)*\/CPU\d+:)?[*.]?/;

/**
 * Parses `TIME HOST TAG[PID]: MESSAGE` (RFC 3164) in the variants that devices send. Any part may
 * be missing.
 * @returns undefined if the text has no time
 */
export function timedMessage(text: string, options: SyslogOptions): SyslogMessage | undefined {
  const plain = localTime(text, options);
  if (plain !== undefined) return { time: plain.time, ...readHost(plain.rest) };
  const before = beforeTime.exec(text);
  const stamp = before === null ? undefined : localTime(text.slice(before[0].length), options);
  if (before === null || stamp === undefined) return undefined;
  // Cisco message names start so; text that mentions a time does not.
  if (before[1] !== undefined && !stamp.rest.startsWith('%')) return undefined;
  const hostname = before[1] ?? before[2];
  return hostname === undefined
    ? { time: stamp.time, ...readHost(stamp.rest) }
    : { time: stamp.time, hostname, ...readTag(stamp.rest) };
}

/** A message without a time. */
export function untimedMessage(text: string): SyslogMessage {
  const counters = /^:? ?(?:\d+: +)*(?=%)/.exec(text);
  return readTag(text.slice(counters?.[0].length ?? 0));
}

function readHost(text: string): SyslogMessage {
  const match = /^(\S+)( *:)? +/.exec(text);
  if (match === null) return readTag(text);
  const [whole, word = ''] = match;
  const rest = text.slice(whole.length);
  const named = word.endsWith(':') ? word.slice(0, -1) : word;
  if (isAddress(named)) return { hostname: named.replace(/^\[|\]$/g, ''), ...readTag(rest) };
  // After `host:` or `host :` of firewalls follows the message name.
  if (/^[^\s:[\]%]+$/.test(named) && (named === word || rest.startsWith('%')))
    return { hostname: named, ...readTag(rest) };
  // Without a host, the tag follows the time directly.
  return readTag(text);
}

/** Whether a word is an address of IPv6, perhaps in brackets or with a zone. */
const isAddress = (word: string): boolean => word.includes(':') && isIPv6(word.replace(/^\[|\]$/g, ''));

/** F5 writes the severity before the program: `notice mcpd[6]: …`. */
const severityFirst = /^(?:emerg|alert|crit|err|warning|notice|info|debug) (?=[^\s:[\]]+\[\d+\]: )/;

/** Formats of security devices, whose name is a part of the message that their readers look for. */
const header = /^(CEF|LEEF):\d/;

function readTag(whole: string): SyslogMessage {
  const format = header.exec(whole)?.[1];
  if (format !== undefined) return { application: format, message: whole };
  const text = whole.replace(severityFirst, '');
  const match = /^([^\s:[\]]{1,64})(?:\[([^\]\s]{1,64})\])?: ?([\s\S]*)$/.exec(text);
  if (match === null) return { message: text };
  const [, application = '', procId, message = ''] = match;
  // Names of messages of Cisco's devices: `%ASA-6-302013`.
  const severity = severityOf(/^%[\w-]+-([0-7])-\w+$/.exec(application)?.[1] ?? '');
  return { ...(severity !== undefined && { severity }), application, procId, message };
}
