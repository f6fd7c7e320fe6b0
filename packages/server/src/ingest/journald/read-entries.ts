import { viewOf } from '../bytes/json-bytes.js';
import { type EventLines, member } from '../event-lines.js';
import { MemberNames } from '../member-names.js';
import type { StreamEndpoint } from '../protocol.js';
import { severityOf } from '../syslog/severities.js';

/**
 * The export format of the journal. An entry has a field on each line, `NAME=value`, and ends with
 * an empty line. A value with line feeds in it comes behind its name and a line feed, with its
 * length before it, in eight bytes, the lowest first, and a line feed behind it.
 */

const lineFeed = 0x0a;
const equals = 0x3d;
const lengthBytes = 8;

/** A field, or the end of an entry. */
interface Field {
  /** Where its name ends; that is where the line begins if it is the end of an entry. */
  nameEnd: number;
  start: number;
  end: number;
  next: number;
}

/**
 * So many bytes of a line are looked at one by one, which takes less time than a call for short
 * lines; names are shorter.
 */
const nearBytes = 256;

/** Reads the line at a place; false if it is not there as a whole. */
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

/**
 * How many of these bytes are whole entries. Looking goes on at a field, which may be in the middle
 * of an entry.
 */
export const wholeEntries: StreamEndpoint['wholeEvents'] = (bytes, from) => {
  const field: Field = { nameEnd: 0, start: 0, end: 0, next: 0 };
  let end = 0;
  let at = from;
  for (; readField(bytes, at, field); at = field.next) if (field.nameEnd === at) end = field.next;
  return { end, from: at };
};

const time = member('__REALTIME_TIMESTAMP');
const severity = member('severity');
/** Fields under other names than those they have in the journal. */
const renamed = [['MESSAGE', member('message')]] as const;

/**
 * Entries as events. One that is cut off, or whose lengths are wrong, fails; reading goes on behind
 * the next empty line.
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
    while (at < bytes.length && (isWhole = readField(bytes, at, field)) && field.nameEnd !== at) {
      writer.field(at, field);
      at = field.next;
    }
    if (isWhole) {
      writer.end();
      at = field.nameEnd === at ? field.next : at;
      continue;
    }
    lines.takeBack();
    lines.fail(start, `byte ${at}: the field of an entry is cut off`);
    const emptyLine = bytes.indexOf('\n\n', at);
    at = emptyLine < 0 ? bytes.length : emptyLine + 2;
  }
}

class EntryWriter {
  readonly #bytes: Buffer;
  readonly #words: DataView;
  readonly #lines: EventLines;
  readonly #names = new MemberNames(renamed);
  #fields = 0;

  constructor(bytes: Buffer, words: DataView, lines: EventLines) {
    this.#bytes = bytes;
    this.#words = words;
    this.#lines = lines;
  }

  begin(): void {
    this.#fields = 0;
    this.#lines.begin();
  }

  field(at: number, { nameEnd, start, end }: Field): void {
    const name = this.#bytes.toString('latin1', at, nameEnd);
    if (name === '__REALTIME_TIMESTAMP') return this.#lines.time(time, this.#bytes, start, end);
    // Addresses within the journal: they say nothing of the event.
    if (name.startsWith('__')) return;
    this.#fields++;
    this.#lines.utf8(this.#names.of(name), this.#bytes, start, end, this.#words);
    if (name === 'PRIORITY') this.#lines.text(severity, severityOf(this.#bytes.toString('latin1', start, end)));
  }

  end(): void {
    if (this.#fields > 0) this.#lines.end();
    else this.#lines.takeBack();
  }
}
