import { type EventLines, member } from '../event-lines.js';
import type { SyslogMessage } from './parse.js';

const names = {
  severity: member('severity'),
  facility: member('facility'),
  hostname: member('hostname'),
  application: member('application'),
  procId: member('procId'),
  msgId: member('msgId'),
  message: member('message'),
} as const;
const metadata = member('metadata');
const remoteAddress = member('remoteAddress');
const timestamp = member('timestamp');

/**
 * Writes a message as an event. A message that is an object of JSON adds its members.
 * @param from the address it came from; also the host of a message that names none
 */
export function writeMessage(sent: SyslogMessage, from: string, lines: EventLines): void {
  const { message } = sent;
  lines.begin();
  if (sent.time !== undefined) {
    const time = Buffer.from(JSON.stringify(sent.time));
    lines.time(timestamp, time, 0, time.length);
  }
  for (const [name, key] of Object.entries(names) as readonly [keyof typeof names, Buffer][])
    lines.text(key, sent[name] ?? (name === 'hostname' ? from : undefined));
  lines.text(remoteAddress, from);
  if (sent.metadata !== undefined) {
    const json = Buffer.from(JSON.stringify(sent.metadata));
    lines.json(metadata, json, 0, json.length);
  }
  if (isObject(message)) {
    const json = Buffer.from(message.trim());
    lines.members(json, 0, json.length);
  }
  lines.end();
}

/** Whether a text is an object of JSON, which few are: most do not begin like one. */
function isObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
