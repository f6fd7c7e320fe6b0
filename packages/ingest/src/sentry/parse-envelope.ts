import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { type WriteObject, writeObject } from '../formats/object-lists.js';

const timestamp = member('timestamp');
const itemType = member('itemType');
const attributes = member('attributes');
const newline = 0x0a;

type Header = Readonly<Record<string, unknown>>;

/** The object on the line that starts at `start`. */
function headerAt(scan: JsonScan, start: number): { readonly header: Header | undefined; readonly next: number } {
  const next = scan.nextLine(start);
  const value = scan.isObject(start) ? scan.value(start, next) : undefined;
  return { header: typeof value === 'object' && value !== null ? (value as Header) : undefined, next };
}

/**
 * Reads an envelope: a header, and items with a header each, whose payload is as long as it says or
 * ends with its line. Items of JSON become events with their type as `itemType`; those with a list
 * of `items`, such as logs, an event for each. Other items, such as attachments, fail.
 * @throws HttpError `invalid-events` without the header of an envelope
 */
export function readEnvelope(body: Uint8Array, lines: EventLines): void {
  const scan = new JsonScan(body);
  const envelope = headerAt(scan, 0);
  if (envelope.header === undefined) throw httpError('invalid-events', { problem: 'the body is not an envelope' });
  for (let at = scan.behindSpace(envelope.next); at < scan.end; at = scan.behindSpace(at)) {
    const { header, next } = headerAt(scan, at);
    if (header === undefined) {
      lines.fail(at, `byte ${at}: expected the header of an item`);
      at = next;
      continue;
    }
    const { type, length } = header;
    const end = typeof length === 'number' && length >= 0 ? next + length : endOfLine(scan, next);
    if (end > scan.end || !Number.isInteger(end)) {
      lines.fail(at, `byte ${at}: the item is shorter than its header says`);
      return;
    }
    const name = typeof type === 'string' ? type : 'unknown';
    // A header at the end has an empty payload.
    readItem(new JsonScan(scan.bytes.subarray(0, end)), next, name, lines);
    at = end;
  }
}

const endOfLine = (scan: JsonScan, start: number): number => {
  const found = scan.bytes.indexOf(newline, start);
  return found < 0 ? scan.end : found;
};

/** Reads the payload of an item, from `start` to the end of the scan. */
function readItem(scan: JsonScan, start: number, type: string, lines: EventLines): void {
  const at = scan.behindSpace(start);
  const end = scan.isObject(at) && type !== 'attachment' ? scan.valueEnd(at) : -1;
  if (end < 0 || scan.behindSpace(end) < scan.end)
    return lines.fail(start, `byte ${start}: an item of type ${type} that is not a JSON object cannot be stored`);
  const write = writeTyped(type);
  let items = -1;
  let members = 0;
  scan.members(at, (nameStart, nameEnd, from) => {
    members++;
    if (scan.is('items', nameStart, nameEnd) && scan.isList(from)) items = from;
  });
  if (items < 0 || members > 2) return write(scan, at, lines);
  const read = scan.elements(items, (start) => {
    if (scan.isObject(start)) write(scan, start, lines);
    else lines.fail(start, `byte ${start}: expected an object of type ${type}`);
  });
  if (read < 0) lines.fail(items, `byte ${items}: the list of items of type ${type} is broken`);
}

/** Writes an event with its type; `timestamp` is the time. */
export const writeTyped =
  (type: string): WriteObject =>
  (scan, start, lines) =>
    writeObject(scan, start, lines, {
      what: `item of type ${type}`,
      before: () => lines.text(itemType, type),
      write(nameStart, nameEnd, from, to) {
        if (scan.is('timestamp', nameStart, nameEnd)) lines.time(timestamp, scan.bytes, from, to);
        else if (scan.is('attributes', nameStart, nameEnd)) return writeAttributes(scan.value(from, to), lines);
        else return false;
        return true;
      },
    });

/** `{"a": {"value": 1, "type": "integer"}}` becomes `{"a": 1}`. */
function writeAttributes(found: unknown, lines: EventLines): boolean {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return false;
  const plain = Object.fromEntries(
    Object.entries(found).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'object' && value !== null && 'value' in value ? value.value : value,
    ]),
  );
  const json = Buffer.from(JSON.stringify(plain));
  lines.json(attributes, json, 0, json.length);
  return true;
}
