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
 * Writes a message as an event. A message that is a JSON object adds its properties.
 * @param from address of the sender; also the host of a message without one
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

/** Whether a text is a JSON object. Checks the first character first, because few texts are. */
function isObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
