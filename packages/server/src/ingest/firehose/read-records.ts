import { isUtf8 } from 'node:buffer';
import * as zlib from 'node:zlib';
import { httpError } from '../../errors.js';
import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { isGzip } from '../mislabelled.js';
import { writeTextLines } from '../text-lines.js';

const message = member('message');
const timestamp = member('timestamp');
const id = member('id');

/**
 * The records of a delivery as events:
 *
 *     {"requestId": "…", "timestamp": 1790000000000, "records": [{"data": "<base64>"}]}
 *
 * A record is, perhaps packed with gzip, a message of CloudWatch Logs, objects of JSON, or lines of
 * text.
 * @throws HttpError `invalid-events` if the body is not of that form, `events-too-large`; a record
 * that cannot be read fails alone
 */
export function readRecords(body: Uint8Array, most: Most, lines: EventLines): void {
  const scan = new JsonScan(body);
  let number = 0;
  let found = false;
  const root = scan.behindSpace(0);
  const end = scan.isObject(root)
    ? scan.members(root, (nameStart, nameEnd, start) => {
        if (!scan.is('records', nameStart, nameEnd) || !scan.isList(start)) return;
        found = scan.elements(start, (from) => readRecord(scan, from, number++, most, lines)) >= 0;
      })
    : -1;
  if (end < 0 || !found)
    throw httpError('invalid-events', { problem: 'the body is not a delivery with a list of records' });
}

function readRecord(scan: JsonScan, start: number, number: number, most: Most, lines: EventLines): void {
  let data: Buffer | undefined;
  if (scan.isObject(start))
    scan.members(start, (nameStart, nameEnd, from, to) => {
      if (scan.is('data', nameStart, nameEnd) && scan.isString(from))
        data = Buffer.from(scan.bytes.toString('latin1', from + 1, to - 1), 'base64');
    });
  if (data === undefined) return lines.fail(start, `record ${number} has no data`);
  if (isGzip(data)) {
    try {
      data = zlib.gunzipSync(data, { maxOutputLength: most.now });
    } catch (error) {
      const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      if (isTooLong && most.now < most.ever)
        throw httpError('events-too-large', { limit: most.now, what: 'records' }, { cause: error });
      const why = error instanceof Error ? error.message : 'damaged data';
      return lines.fail(start, `record ${number} is not valid gzip: ${why}`);
    }
  }
  if (!isUtf8(data)) return lines.fail(start, `record ${number} is neither JSON nor text; metric streams are not read`);
  const record = new JsonScan(data);
  if (!record.isObject(record.behindSpace(0))) writeTextLines(data, message, lines);
  else if (!readCloudWatch(record, lines)) writeObjects(record, number, lines);
}

/**
 * The most bytes that a record may have: here, and in a thread, where a long one makes nobody wait.
 */
interface Most {
  readonly now: number;
  readonly ever: number;
}

/** Objects of JSON, one behind the other or in lines. */
function writeObjects(record: JsonScan, number: number, lines: EventLines): void {
  for (let at = record.behindSpace(0); at < record.end; at = record.behindSpace(at)) {
    const end = record.isObject(at) ? record.within(at).valueEnd(at) : -1;
    if (end < 0) {
      lines.fail(at, `record ${number}, byte ${at}: expected an object`);
      at = record.nextLine(at);
      continue;
    }
    lines.begin();
    lines.members(record.bytes, at, end);
    lines.end();
    at = end;
  }
}

/** Members of a message that all of its events get. */
const ofMessage = ['logGroup', 'logStream', 'owner', 'subscriptionFilters'] as const;

/**
 * A message of CloudWatch Logs: `{"messageType": "DATA_MESSAGE", "logGroup": …, "logEvents":
 * [{"id", "timestamp", "message"}]}`.
 * @returns whether the record is one. A control message is one without events
 */
function readCloudWatch(record: JsonScan, lines: EventLines): boolean {
  let isControl = false;
  let isMessage = false;
  let events = -1;
  const common: { readonly name: Buffer; readonly start: number; readonly end: number }[] = [];
  const end = record.members(record.behindSpace(0), (nameStart, nameEnd, start, end) => {
    if (record.is('messageType', nameStart, nameEnd)) {
      isControl = record.is('"CONTROL_MESSAGE"', start, end);
      isMessage = isControl || record.is('"DATA_MESSAGE"', start, end);
    } else if (record.is('logEvents', nameStart, nameEnd) && record.isList(start)) events = start;
    else {
      const name = ofMessage.find((each) => record.is(each, nameStart, nameEnd));
      if (name !== undefined) common.push({ name: member(name), start, end });
    }
  });
  if (end < 0 || !isMessage) return false;
  if (isControl || events < 0) return true;
  const behind = record.elements(events, (start) => {
    if (!record.isObject(start)) return lines.fail(start, 'expected a log event, which is an object');
    lines.begin();
    for (const { name, start, end } of common) lines.json(name, record.bytes, start, end);
    record.members(start, (nameStart, nameEnd, from, to) => {
      if (record.is('timestamp', nameStart, nameEnd)) lines.time(timestamp, record.bytes, from, to);
      else if (record.is('message', nameStart, nameEnd)) lines.json(message, record.bytes, from, to);
      else if (record.is('id', nameStart, nameEnd)) lines.json(id, record.bytes, from, to);
    });
    lines.end();
  });
  if (behind < 0) lines.fail(events, 'the list of log events is broken');
  return true;
}
