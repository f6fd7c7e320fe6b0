import { isUtf8 } from 'node:buffer';
import * as zlib from 'node:zlib';
import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { isGzip } from '../content-sniffing.js';
import { writeTextLines } from '../text-lines.js';

const message = member('message');
const timestamp = member('timestamp');
const id = member('id');

/**
 * Converts the records of a delivery to events:
 *
 *     {"requestId": "…", "timestamp": 1790000000000, "records": [{"data": "<base64>"}]}
 *
 * A record is, optionally gzipped, a message of CloudWatch Logs, JSON objects, lists of objects, or
 * lines of text.
 * @throws HttpError `invalid-events` if the body is not of that form, `events-too-large`; malformed
 * records fail individually
 */
export function readRecords(body: Uint8Array, max: Most, lines: EventLines): void {
  const scan = new JsonScan(body);
  let number = 0;
  let found = false;
  const root = scan.behindSpace(0);
  const end = scan.isObject(root)
    ? scan.members(root, (nameStart, nameEnd, start) => {
        if (!scan.is('records', nameStart, nameEnd) || !scan.isList(start)) return;
        found = scan.elements(start, (from) => readRecord(scan, from, number++, max, lines)) >= 0;
      })
    : -1;
  if (end < 0 || !found)
    throw httpError('invalid-events', { problem: 'the body is not a delivery with a list of records' });
  const behind = scan.behindSpace(end);
  if (behind < scan.end)
    throw httpError('invalid-events', { problem: `byte ${behind}: something follows the delivery` });
}

function readRecord(scan: JsonScan, start: number, number: number, max: Most, lines: EventLines): void {
  let data: Buffer | undefined;
  if (scan.isObject(start))
    scan.members(start, (nameStart, nameEnd, from, to) => {
      if (scan.is('data', nameStart, nameEnd) && scan.isString(from))
        data = decodeBase64(scan.bytes.toString('latin1', from + 1, to - 1));
    });
  if (data === undefined) return lines.fail(start, `record ${number} has no data in base64`);
  if (isGzip(data)) {
    try {
      data = zlib.gunzipSync(data, { maxOutputLength: max.now });
    } catch (error) {
      const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      if (isTooLong && max.now < max.ever)
        throw httpError('events-too-large', { limit: max.now, what: 'records' }, { cause: error });
      const why = error instanceof Error ? error.message : 'damaged data';
      return lines.fail(start, `record ${number} is not valid gzip: ${why}`);
    }
  }
  if (!isUtf8(data)) return lines.fail(start, `record ${number} is neither JSON nor text; metric streams are not read`);
  writeData(new JsonScan(data), number, lines);
}

/** Decodes base64; undefined if the text is not completely base64. */
function decodeBase64(sent: string): Buffer | undefined {
  const text = sent.replaceAll(/\\(?:\/|[rn])/g, (escaped) => (escaped === '\\/' ? '/' : ''));
  const data = Buffer.from(text, 'base64');
  return data.length === Buffer.byteLength(text, 'base64') ? data : undefined;
}

/**
 * Maximum bytes of a record: in the main thread, and in a worker thread, where a long record blocks
 * no other request.
 */
interface Most {
  readonly now: number;
  readonly ever: number;
}

/**
 * Parses CloudWatch Logs messages, JSON objects and lists of them, concatenated or in lines, and
 * lines of text between them. A malformed value fails up to the end of its line.
 */
function writeData(record: JsonScan, number: number, lines: EventLines): void {
  let isLineStart = true;
  /** Start of the next line; searched once per line, which may have many objects. */
  let next = 0;
  for (let at = record.behindSpace(0); at < record.end;) {
    if (at >= next) next = record.nextLine(at);
    const isList = isListOfObjects(record, at);
    if (isList || record.isObject(at)) {
      const within = record.within(at);
      const end = isList ? writeList(within, at, number, lines) : writeObject(within, at, number, lines);
      isLineStart = end < 0;
      at = end < 0 ? record.nextLine(~end) : end;
    } else {
      if (isLineStart) writeTextLines(record.bytes.subarray(at, next), message, lines);
      else lines.fail(at, `record ${number}, byte ${at}: expected an object or the end of the line`);
      at = next;
      isLineStart = true;
    }
    const behind = record.behindSpace(at);
    isLineStart ||= next <= behind;
    at = behind;
  }
}

/** Whether a list begins with an object. Other text may begin with a bracket: `[info] …`. */
function isListOfObjects(record: JsonScan, at: number): boolean {
  if (!record.isList(at)) return false;
  const first = record.behindSpace(at + 1);
  if (!record.isObject(first)) return false;
  const inside = record.behindSpace(first + 1);
  return record.isString(inside) || record.is('}', inside, inside + 1);
}

/**
 * Writes an object as an event, or as those of a CloudWatch Logs message.
 * @returns the position after it; if it does not end, the complement of its start
 */
function writeObject(record: JsonScan, at: number, number: number, lines: EventLines): number {
  const end = record.valueEnd(at);
  if (end < 0) {
    lines.fail(at, `record ${number}, byte ${at}: the object is broken`);
    return ~at;
  }
  if (!writeCloudWatch(record, at, number, lines)) {
    lines.begin();
    lines.members(record.bytes, at, end);
    lines.end();
  }
  return end;
}

/**
 * Writes the objects of a list.
 * @returns the position after it; if it is broken, the complement of the end of its last good
 * element
 */
function writeList(record: JsonScan, at: number, number: number, lines: EventLines): number {
  let last = at;
  const end = record.elements(at, (start, elementEnd) => {
    last = elementEnd;
    if (record.isObject(start)) writeObject(record, start, number, lines);
    else lines.fail(start, `record ${number}, byte ${start}: expected an object`);
  });
  if (end >= 0) return end;
  lines.fail(last, `record ${number}, byte ${last}: the list is broken`);
  return ~last;
}

/** Properties of a message that are added to all of its events. */
const ofMessage = ['logGroup', 'logStream', 'owner', 'subscriptionFilters'] as const;

/**
 * Writes a message of CloudWatch Logs: `{"messageType": "DATA_MESSAGE", "logGroup": …, "logEvents":
 * [{"id", "timestamp", "message"}]}`.
 * @returns whether the object at `from` is one. A control message is one without events
 */
function writeCloudWatch(record: JsonScan, from: number, number: number, lines: EventLines): boolean {
  let isControl = false;
  let isMessage = false;
  // Of a repeated member, all values are kept.
  const lists: number[] = [];
  const common: { readonly name: Buffer; readonly start: number; readonly end: number }[] = [];
  const end = record.members(from, (nameStart, nameEnd, start, end) => {
    if (record.is('messageType', nameStart, nameEnd)) {
      isControl = record.is('"CONTROL_MESSAGE"', start, end);
      isMessage = isControl || record.is('"DATA_MESSAGE"', start, end);
    } else if (record.is('logEvents', nameStart, nameEnd) && record.isList(start)) lists.push(start);
    else {
      const name = ofMessage.find((each) => record.is(each, nameStart, nameEnd));
      if (name !== undefined) common.push({ name: member(name), start, end });
    }
  });
  if (end < 0 || !isMessage) return false;
  if (isControl) return true;
  if (lists.length === 0) {
    lines.fail(from, `record ${number}, byte ${from}: the message has no list of log events`);
    return true;
  }
  const readEvent = (start: number): void => {
    if (!record.isObject(start)) return lines.fail(start, 'expected a log event, which is an object');
    lines.begin();
    for (const { name, start, end } of common) lines.json(name, record.bytes, start, end);
    const end = record.members(start, (nameStart, nameEnd, from, to) => {
      if (record.is('timestamp', nameStart, nameEnd)) lines.time(timestamp, record.bytes, from, to);
      else if (record.is('message', nameStart, nameEnd)) lines.json(message, record.bytes, from, to);
      else if (record.is('id', nameStart, nameEnd)) lines.json(id, record.bytes, from, to);
    });
    if (end >= 0) return lines.end();
    lines.takeBack();
    lines.fail(start, `record ${number}, byte ${start}: the log event is not valid JSON`);
  };
  for (const list of lists)
    if (record.elements(list, readEvent) < 0)
      lines.fail(list, `record ${number}, byte ${list}: the list of log events is broken`);
  return true;
}
