import { viewOf } from '../bytes/json-bytes.js';
import { type EventLines, member } from '../event-lines.js';
import { MemberNames } from '../key-names.js';
import type { StreamEndpoint } from '../protocol.js';
import { severityOf } from '../syslog/severities.js';

/**
 * The journal's export format. An entry has one field per line, `NAME=value`, and ends with an
 * empty line. A value that contains line feeds follows its name and a line feed: its length in
 * eight bytes, little-endian, the value, and a line feed.
 */

const lineFeed = 0x0a;
const equals = 0x3d;
const lengthBytes = 8;

/** A field, or the end of an entry. */
interface Field {
  /** Where its name ends; the start of the line, if the line ends an entry. */
  nameEnd: number;
  start: number;
  end: number;
  next: number;
}

/**
 * Scans this many bytes of a line one at a time, which is faster than a call for short lines; names
 * are shorter.
 */
const nearBytes = 256;

/** Reads the line at `at`; false if it is incomplete. */
function readField(bytes: Buffer, at: number, field: Field): boolean {
  const near = Math.min(bytes.length, at + nearBytes);
  let sign = -1;
  let lineEnd = at;
  for (; lineEnd < near && bytes[lineEnd] !== lineFeed; lineEnd++)
    if (bytes[lineEnd] === equals && sign < 0) sign = lineEnd;
  if (lineEnd === near) {
    lineEnd = bytes.indexOf(lineFeed, near);
    if (lineEnd < 0) return false;
  }
  if (sign >= 0 || lineEnd === at) {
    field.nameEnd = lineEnd === at ? at : sign;
    field.start = field.nameEnd + 1;
    field.end = lineEnd;
    field.next = lineEnd + 1;
    return true;
  }
  const start = lineEnd + 1 + lengthBytes;
  if (start > bytes.length) return false;
  const length = bytes.readUInt32LE(lineEnd + 1) + bytes.readUInt32LE(lineEnd + 5) * 2 ** 32;
  field.nameEnd = lineEnd;
  field.start = start;
  field.end = start + length;
  field.next = field.end + 1;
  return field.next <= bytes.length;
}

/** Reads a field; false also if no line feed follows: its length is wrong then. */
const isField = (bytes: Buffer, at: number, field: Field): boolean =>
  readField(bytes, at, field) && bytes[field.next - 1] === lineFeed;

/**
 * Number of bytes that are complete entries. A scan resumes at a field, possibly in the middle of
 * an entry.
 */
export const completeEntries: StreamEndpoint['wholeEvents'] = (bytes, from) => {
  const field: Field = { nameEnd: 0, start: 0, end: 0, next: 0 };
  let end = 0;
  let at = from;
  for (; readField(bytes, at, field); at = field.next) if (field.nameEnd === at) end = field.next;
  return { end, from: at };
};

const time = member('__REALTIME_TIMESTAMP');
const severity = member('severity');
/** Fields whose names differ from those in the journal. */
const renamedFields = [['MESSAGE', member('message')]] as const;

/**
 * Converts entries to events. Truncated entries and entries with wrong lengths fail; parsing
 * resumes after the next empty line.
 */
export function readEntries(body: Uint8Array, lines: EventLines): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const words = viewOf(bytes);
  const writer = new EntryWriter(bytes, words, lines);
  const field: Field = { nameEnd: 0, start: 0, end: 0, next: 0 };
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    writer.begin();
    let isWhole = true;
    while (at < bytes.length && (isWhole = isField(bytes, at, field)) && field.nameEnd !== at) {
      writer.field(at, field);
      at = field.next;
    }
    if (isWhole) {
      writer.end();
      at = field.nameEnd === at ? field.next : at;
      continue;
    }
    lines.takeBack();
    lines.fail(start, `byte ${at}: the field of an entry is cut off, or its length is wrong`);
    const emptyLine = bytes.indexOf('\n\n', at);
    at = emptyLine < 0 ? bytes.length : emptyLine + 2;
  }
}

/** A field of an entry: its name, and where its value is. */
interface Value {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
/** Maximum cached names, so that ever new names do not exhaust memory. */
const maxNames = 10_000;

class EntryWriter {
  readonly #bytes: Buffer;
  readonly #words: DataView;
  readonly #lines: EventLines;
  readonly #names = new MemberNames(renamedFields);
  /** The number of the last entry with each name. */
  readonly #cameIn = new Map<string, number>();
  readonly #values: Value[] = [];
  #entry = 0;
  #hasRepeated = false;

  constructor(bytes: Buffer, words: DataView, lines: EventLines) {
    this.#bytes = bytes;
    this.#words = words;
    this.#lines = lines;
  }

  begin(): void {
    this.#values.length = 0;
    this.#hasRepeated = false;
    this.#entry++;
    if (this.#cameIn.size > maxNames) this.#cameIn.clear();
    this.#lines.begin();
  }

  field(at: number, { nameEnd, start, end }: Field): void {
    const name = this.#bytes.toString('latin1', at, nameEnd);
    if (name === '__REALTIME_TIMESTAMP') return this.#lines.time(time, this.#bytes, start, end);
    // Addresses within the journal, which are not part of the event.
    if (name.startsWith('__')) return;
    this.#values.push({ name, start, end });
    if (this.#cameIn.get(name) === this.#entry) this.#hasRepeated = true;
    else this.#cameIn.set(name, this.#entry);
    if (name === 'PRIORITY') this.#lines.text(severity, severityOf(this.#bytes.toString('latin1', start, end)));
  }

  end(): void {
    if (this.#values.length === 0) return this.#lines.takeBack();
    if (this.#hasRepeated) this.#writeGrouped();
    else
      for (const { name, start, end } of this.#values)
        this.#lines.utf8(this.#names.of(name), this.#bytes, start, end, this.#words);
    this.#lines.end();
  }

  /** A field that an entry has several times is a list of its values. */
  #writeGrouped(): void {
    const groups = new Map<string, Value[]>();
    for (const value of this.#values) {
      const group = groups.get(value.name);
      if (group === undefined) groups.set(value.name, [value]);
      else group.push(value);
    }
    for (const [name, values] of groups) {
      const out = this.#lines.next();
      out.bytes(this.#names.of(name));
      if (values.length > 1) out.byte(openBracket);
      values.forEach(({ start, end }, i) => {
        if (i > 0) out.byte(comma);
        out.utf8(this.#bytes, this.#words, start, end);
      });
      if (values.length > 1) out.byte(closeBracket);
    }
  }
}
