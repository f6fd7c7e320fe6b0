import { HttpError, httpError } from '@millrace/api/errors';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { JsonBytes } from '../bytes/json-bytes.js';
import { PackReader } from '../bytes/message-pack.js';
import { decodeBody } from '../compression/content-encoding.js';
import { type EventLines, member } from '../event-lines.js';

const tag = member('tag');
const time = member('time');

/** The options of a message that are used. */
interface Options {
  /** Acknowledgment ID: the sender expects a response with this text once the message is stored. */
  readonly chunk?: string;
  readonly compressed?: string;
}

/**
 * Converts the records of concatenated messages to events:
 *
 *     [tag, time, record, options?]   [tag, [[time, record], …], options?]   [tag, entries as bytes, perhaps compressed, options?]
 *
 * The tag becomes a field, unless the record has a field of that name. Invalid entries fail
 * individually.
 * @param max maximum bytes of compressed entries
 * @throws HttpError `events-too-large`
 */
export function readMessages(body: Uint8Array, max: number, lines: EventLines): void {
  const reader = new PackReader(body);
  const events = new EntryWriter(lines);
  while (!reader.isOver) {
    const start = reader.at;
    // The end of a message is known even if its content is malformed.
    refuseMessages(() => reader.skip());
    const end = reader.at;
    reader.at = start;
    withLine(lines, start, () => readMessage(reader, max, events));
    reader.at = end;
  }
}

/**
 * @throws HttpError `invalid-events` for bytes that are not a message: the start of the next one is
 * unknown then
 */
function refuseMessages(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw httpError('invalid-events', { problem: error.message }, { cause: error });
  }
}

/** Runs a parser; everything from a malformed byte on counts for one failed event. */
function withLine(lines: EventLines, start: number, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    lines.takeBack();
    lines.fail(start, error.message);
  }
}

function readMessage(reader: PackReader, max: number, events: EntryWriter): void {
  const start = reader.at;
  const parts = reader.enter('list') ?? 0;
  const name = reader.text();
  if (parts < 2 || name === undefined)
    throw new CorruptDataError(`byte ${start}: expected a list that begins with a tag`);
  const entries = reader.enter('list');
  if (entries !== undefined) return events.writeList(reader, entries, name);
  const packed = reader.take();
  if (packed === undefined) return events.write(reader, name);
  const { compressed = 'text' } = parts > 2 ? readOptions(reader) : {};
  const inner = new PackReader(compressed === 'text' ? packed : unpackEntries(packed, compressed, max));
  while (!inner.isOver) events.writeEntry(inner, name);
}

function unpackEntries(packed: Buffer, encoding: string, max: number): Uint8Array {
  try {
    return decodeBody(packed, encoding, max);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.code === 'body-too-large') throw httpError('events-too-large', { limit: max, what: 'entries' });
    throw new CorruptDataError(error.message);
  }
}

/** The options of a message, which come last. */
function readOptions(reader: PackReader): Options {
  const found: { chunk?: string; compressed?: string } = {};
  for (let pairs = reader.enter('map') ?? 0; pairs > 0; pairs--) {
    const name = reader.text();
    if (name === undefined) reader.skip();
    const value = reader.text();
    if (value === undefined) reader.skip();
    else if (name === 'chunk' || name === 'compressed') found[name] = value;
  }
  return found;
}

/** The acknowledgment ID of a message; undefined if its sender expects no acknowledgment. */
export function chunkOf(message: Buffer): string | undefined {
  const reader = new PackReader(message);
  const parts = reader.enter('list') ?? 0;
  if (parts < 3) return undefined;
  reader.skip();
  const isTime = reader.kind !== 'list' && reader.kind !== 'text';
  reader.skip();
  if (isTime) reader.skip();
  return parts > (isTime ? 3 : 2) ? readOptions(reader).chunk : undefined;
}

/** Writes entries as events. */
class EntryWriter {
  readonly #lines: EventLines;
  /** A time as JSON. */
  readonly #time = new JsonBytes(64, 4096, () => new CorruptDataError('the time is too long'));

  constructor(lines: EventLines) {
    this.#lines = lines;
  }

  writeList(reader: PackReader, entries: number, name: string): void {
    for (let left = entries; left > 0; left--) {
      const start = reader.at;
      reader.skip();
      const end = reader.at;
      reader.at = start;
      this.writeEntry(reader, name);
      reader.at = end;
    }
  }

  /** Writes an entry, `[time, record]`. Skips and fails anything else. */
  writeEntry(reader: PackReader, name: string): void {
    const start = reader.at;
    reader.skip();
    const end = reader.at;
    reader.at = start;
    if ((reader.enter('list') ?? 0) < 2) this.#lines.fail(start, `byte ${start}: expected an entry, [time, record]`);
    else this.write(reader, name);
    reader.at = end;
  }

  /** Writes the time and record that follow. */
  write(reader: PackReader, name: string): void {
    const start = reader.at;
    // The times of Fluent Bit may have something with them: [time, {…}].
    const together = reader.enter('list') ?? 1;
    this.#time.cutTo(0);
    reader.value(this.#time);
    for (let more = together; more > 1; more--) reader.skip();
    const pairs = reader.enter('map');
    if (pairs === undefined) return this.#lines.fail(start, `byte ${start}: expected a time and a record`);
    const lines = this.#lines;
    lines.begin();
    lines.text(tag, name);
    const json = this.#time.writtenBytes();
    lines.time(time, json, 0, json.length);
    for (let left = pairs; left > 0; left--) reader.member(() => lines.next());
    lines.end();
  }
}
