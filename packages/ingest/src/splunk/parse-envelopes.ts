import type { EncodeResult } from '@millrace/events';
import { JsonScan } from '../bytes/json-scan.js';
import { EventLines, member } from '../event-lines.js';
import type { FormatOptions } from '../formats/format.js';
import type { PartFilter } from '../part-filter.js';
import { blankEvent, noEvent } from './errors.js';

/**
 * Events in HEC envelopes, concatenated, in lines or in lists:
 *
 *     {"time": 1433188255.5, "host": "h", "source": "s", "sourcetype": "t", "index": "i", "fields": {…}, "event": {…} or a text}
 */

const raw = member('_raw');
const time = member('time');
const members = {
  host: member('host'),
  source: member('source'),
  sourcetype: member('sourcetype'),
  index: member('index'),
};
type CopiedProperty = keyof typeof members;
/** Envelope properties that become fields of the event. */
export const copiedProperties = Object.keys(members) as readonly CopiedProperty[];

/** Positions of the parts of an envelope; −1: missing. */
class Envelope {
  timeStart = -1;
  timeEnd = -1;
  eventStart = -1;
  eventEnd = -1;
  fieldsStart = -1;
  fieldsEnd = -1;
  /** Start and end of each of {@link copiedProperties}. */
  readonly #places = new Int32Array(2 * copiedProperties.length);

  clear(): void {
    this.timeStart = this.eventStart = this.fieldsStart = -1;
    this.#places.fill(-1);
  }

  note(scan: JsonScan, nameStart: number, nameEnd: number, start: number, end: number): void {
    if (scan.is('event', nameStart, nameEnd)) [this.eventStart, this.eventEnd] = [start, end];
    else if (scan.is('time', nameStart, nameEnd)) [this.timeStart, this.timeEnd] = [start, end];
    else if (scan.is('fields', nameStart, nameEnd)) [this.fieldsStart, this.fieldsEnd] = [start, end];
    else
      for (let i = 0; i < copiedProperties.length; i++) {
        if (!scan.is(copiedProperties[i]!, nameStart, nameEnd)) continue;
        this.#places[2 * i] = start;
        this.#places[2 * i + 1] = end;
        return;
      }
  }

  /** The index, if it is a string. */
  index(scan: JsonScan): string | undefined {
    const at = 2 * copiedProperties.indexOf('index');
    if (this.#places[at]! < 0) return undefined;
    const value = scan.value(this.#places[at]!, this.#places[at + 1]!);
    return typeof value === 'string' ? value : undefined;
  }

  writeTo(lines: EventLines, { bytes }: JsonScan): void {
    for (let i = 0; i < copiedProperties.length; i++) {
      const start = this.#places[2 * i]!;
      if (start >= 0) lines.json(members[copiedProperties[i]!], bytes, start, this.#places[2 * i + 1]!);
    }
  }
}

/**
 * Encodes the events of a body as columns. Malformed events fail individually: parsing resumes
 * after the event if its brackets match within the line, otherwise at the next line.
 * @param max maximum bytes of the events
 * @param filter selects events by index
 */
export function encodeEnvelopes(
  body: Uint8Array,
  max: number,
  filter: PartFilter,
  options: FormatOptions,
): EncodeResult {
  const scan = new JsonScan(body);
  const lines = new EventLines(1.1 * body.length, max, options);
  const envelope = new Envelope();
  const note = envelope.note.bind(envelope, scan);

  /** An envelope without a readable index fails once, with the events that name none. */
  const failUnread = (offset: number, error: string): void => {
    if (filter.takes(undefined)) lines.fail(offset, error);
  };

  /** The line of the last broken envelope: it may have many. */
  let line: JsonScan | undefined;
  const read = (start: number): number => {
    envelope.clear();
    const end = scan.within(start).members(start, note);
    if (end < 0) {
      failUnread(start, `byte ${start}: the envelope is not valid JSON`);
      // Others may follow on the same line. Brackets that match only on a later one are of others.
      if (line === undefined || start >= line.end) line = scan.line(start);
      return line.valueEnd(start);
    }
    if (!filter.takes(filter.isNamed ? envelope.index(scan) : undefined)) return end;
    if (envelope.eventStart < 0) lines.fail(start, `byte ${start}: ${noEvent}`);
    else write(scan, envelope, lines);
    return end;
  };

  /** Whether the position is in a list, whose brackets and commas are passed over. */
  let inList = false;
  for (let at = scan.behindSpace(0); at < scan.end; at = scan.behindSpace(at)) {
    const byte = scan.bytes[at]!;
    if (scan.isObject(at)) {
      const next = read(at);
      at = next < 0 ? scan.nextLine(at) : next;
    } else if (scan.isList(at) || (inList && (byte === 0x2c || byte === 0x5d))) {
      inList = byte !== 0x5d;
      at++;
    } else {
      failUnread(at, `byte ${at}: expected an envelope, which begins with {`);
      at = scan.nextLine(at);
    }
  }
  return lines.encode();
}

/** Properties of the envelope come first, then its fields, then those of the event, which win. */
function write(scan: JsonScan, envelope: Envelope, lines: EventLines): void {
  const { bytes } = scan;
  const { eventStart, eventEnd, fieldsStart, fieldsEnd } = envelope;
  if (scan.is('""', eventStart, eventEnd) || scan.is('null', eventStart, eventEnd)) {
    lines.fail(eventStart, `byte ${eventStart}: ${blankEvent}`);
    return;
  }
  lines.begin();
  if (envelope.timeStart >= 0) lines.time(time, bytes, envelope.timeStart, envelope.timeEnd);
  envelope.writeTo(lines, scan);
  if (fieldsStart >= 0 && scan.isObject(fieldsStart)) lines.members(bytes, fieldsStart, fieldsEnd);
  if (scan.isObject(eventStart)) lines.members(bytes, eventStart, eventEnd);
  else if (scan.isString(eventStart)) lines.json(raw, bytes, eventStart, eventEnd);
  else lines.utf8(raw, bytes, eventStart, eventEnd);
  lines.end();
}
