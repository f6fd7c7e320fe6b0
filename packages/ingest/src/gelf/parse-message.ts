import * as zlib from 'node:zlib';
import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { writeObject } from '../formats/object-lists.js';
import { severityOf } from '../syslog/severities.js';

const message = member('message');
const timestamp = member('timestamp');
const severity = member('severity');
const remoteAddress = member('remoteAddress');

/** Names that an additional field cannot have: it becomes `additional.message`. */
const reservedNames: ReadonlySet<string> = new Set([
  '_time',
  '_sysTime',
  'message',
  'full_message',
  'host',
  'level',
  'severity',
  'timestamp',
  'remoteAddress',
]);

/** Writes the message that a sender sent, compressed or not, as an event; counts a broken one. */
export function readMessage(sent: Buffer, from: string, max: number, lines: EventLines): void {
  let text: Buffer;
  try {
    text = withoutEnd(unpackMessage(sent, max));
  } catch {
    return lines.fail(0, `a message from ${from} cannot be decompressed, or has more than ${max} bytes then`);
  }
  if (text.length > max) return lines.fail(0, `a message from ${from} has more than ${max} bytes`);
  const scan = new JsonScan(text);
  const start = scan.behindSpace(0);
  if (!scan.isObject(start) || scan.behindSpace(Math.max(0, scan.valueEnd(start))) < scan.end)
    return lines.fail(0, `a message from ${from} is not a JSON object`);
  writeObject(scan, start, lines, {
    what: `message from ${from}`,
    before: () => lines.text(remoteAddress, from),
    write: (nameStart, nameEnd, from, to) => writeMember(scan, { nameStart, nameEnd, from, to }, lines),
  });
}

interface Member {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly from: number;
  readonly to: number;
}

function writeMember(scan: JsonScan, { nameStart, nameEnd, from, to }: Member, lines: EventLines): boolean {
  const { bytes } = scan;
  if (scan.is('version', nameStart, nameEnd)) return true;
  if (scan.is('timestamp', nameStart, nameEnd)) lines.time(timestamp, bytes, from, to);
  else if (scan.is('short_message', nameStart, nameEnd)) lines.json(message, bytes, from, to);
  else if (scan.is('level', nameStart, nameEnd)) {
    lines.text(severity, severityOf(bytes.toString('latin1', from, to)));
    return false;
  } else if (bytes[nameStart] === underscore && nameEnd - nameStart > 1) {
    const isReserved = reservedNames.has(bytes.toString('utf8', nameStart + 1, nameEnd));
    const out = lines.next();
    out.ascii(isReserved ? '"additional.' : '"');
    out.copyOnLine(bytes, nameStart + 1, nameEnd + 1);
    out.ascii(':');
    out.copyOnLine(bytes, from, to);
  } else return false;
  return true;
}

const underscore = 0x5f;

/** @throws Error if it cannot be decompressed, or becomes longer than `max` */
function unpackMessage(sent: Buffer, max: number): Buffer {
  const options = { maxOutputLength: max };
  if (sent.length < 2) return sent;
  if (sent[0] === 0x1f && sent[1] === 0x8b) return zlib.gunzipSync(sent, options);
  const isZlib = (sent[0]! & 0x0f) === 8 && sent.readUInt16BE(0) % 31 === 0;
  return isZlib ? zlib.inflateSync(sent, options) : sent;
}

/** Some senders end datagrams as the messages of a stream. */
const withoutEnd = (text: Buffer): Buffer => (text.at(-1) === 0 ? text.subarray(0, -1) : text);
