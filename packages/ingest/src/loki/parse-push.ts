import { httpError } from '@millrace/api/errors';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { JsonScan } from '../bytes/json-scan.js';
import { lengthPrefixed, varint, WireReader } from '../bytes/wire-reader.js';
import { type EventLines, member } from '../event-lines.js';
import { MemberNames } from '../key-names.js';
import { parseLabels } from './labels.js';
import type { PartFilter } from '../part-filter.js';
import { datasetLabel } from './dataset-label.js';

/** Fields of every entry. Labels and metadata of these names get a prefix. */
const reservedNames: ReadonlySet<string> = new Set(['message', '_time', '_sysTime']);
const labelName = (name: string): string => (reservedNames.has(name) ? `labels.${name}` : name);
const reservedMetadata: ReadonlyMap<string, Buffer> = new Map(
  [...reservedNames].map((name) => [name, member(`metadata.${name}`)]),
);

/**
 * Names for metadata that have the name of a label, by that name as bytes: both values are kept,
 * the label under the name.
 */
const metadataBeside = (labels: readonly string[]): ReadonlyMap<string, Buffer> =>
  new Map(labels.map((name) => [Buffer.from(name).toString('latin1'), member(`metadata.${name}`)]));

const message = member('message');
const time = member('timestamp');

/**
 * Converts the entries of a JSON push to events. Labels and structured metadata become fields;
 * metadata with the name of a label get a prefix. The line is `message`. Labels with the name of a
 * reserved field get a prefix.
 *
 *     {"streams":[{"stream":{labels},"values":[["<nanoseconds>","line",{metadata}]]}]}
 *
 * @throws HttpError `invalid-events` if the body is not of that form; invalid entries fail
 * individually
 */
export function readJsonPush(body: Uint8Array, streams: PartFilter, lines: EventLines): void {
  const scan = new JsonScan(body);
  const refuse = (at: number): never => {
    throw httpError('invalid-events', { problem: `byte ${at}: the body is not a push of streams in JSON` });
  };
  const checkEnd = (end: number, at: number): number => (end < 0 ? refuse(at) : end);

  const readStream = (start: number): void => {
    if (!scan.isObject(start)) return refuse(start);
    let labels: Labels | undefined;
    // Of a repeated member, all values are kept.
    const lists: number[] = [];
    const end = scan.members(start, (nameStart, nameEnd, from, to) => {
      if (scan.is('stream', nameStart, nameEnd) || scan.is('labels', nameStart, nameEnd))
        labels = { source: scan.bytes, start: from, end: to };
      else if (scan.is('values', nameStart, nameEnd) || scan.is('entries', nameStart, nameEnd)) lists.push(from);
    });
    checkEnd(end, start);
    if (lists.length === 0) return;
    for (const values of lists) if (!scan.isList(values)) refuse(values);
    if (streams.isNamed && labels !== undefined) {
      const { dataset, rest } = withoutDataset(scan.value(labels.start, labels.end));
      if (!streams.takes(dataset)) return;
      if (rest !== undefined) labels = { source: rest, start: 0, end: rest.length };
    } else if (!streams.takes(undefined)) return;
    if (labels !== undefined) labels = withoutReserved(labels);
    let beside: ReadonlyMap<string, Buffer> | undefined;
    const renameLabel = (name: string): Buffer | undefined =>
      reservedMetadata.get(name) ?? (beside ??= metadataBeside(namesOf(labels))).get(name);
    for (const values of lists)
      checkEnd(
        scan.elements(values, (from, to) => readEntry(from, to, labels, renameLabel)),
        values,
      );
  };

  const readEntry = (
    start: number,
    end: number,
    labels: Labels | undefined,
    renamed: (name: string) => Buffer | undefined,
  ): void => {
    const parts: number[] = [];
    const behind = scan.isList(start) ? scan.elements(start, (from, to) => noteSpan(parts, from, to)) : -1;
    const [timeStart, timeEnd, lineStart, lineEnd, dataStart, dataEnd] = parts;
    if (behind !== end || lineEnd === undefined || !scan.isString(lineStart!))
      return lines.fail(start, `byte ${start}: the entry is not a list of a time and a line`);
    lines.begin();
    if (dataEnd !== undefined && scan.isObject(dataStart!)) {
      const behind = scan.members(dataStart!, (nameStart, nameEnd, from, to) => {
        const name = renamed(scan.bytes.toString('latin1', nameStart, nameEnd));
        if (name === undefined) lines.member(scan.bytes, nameStart, nameEnd, from, to);
        else lines.json(name, scan.bytes, from, to);
      });
      if (behind < 0) {
        lines.takeBack();
        return lines.fail(start, `byte ${start}: the structured metadata of the entry are not valid JSON`);
      }
    }
    if (labels !== undefined && labels.source[labels.start] === brace)
      lines.members(labels.source, labels.start, labels.end);
    lines.time(time, scan.bytes, timeStart!, timeEnd!);
    lines.json(message, scan.bytes, lineStart!, lineEnd);
    lines.end();
  };

  const root = scan.behindSpace(0);
  if (!scan.isObject(root)) refuse(root);
  const end = scan.members(root, (nameStart, nameEnd, start) => {
    if (!scan.is('streams', nameStart, nameEnd)) return;
    if (!scan.isList(start)) refuse(start);
    checkEnd(scan.elements(start, readStream), start);
  });
  checkEnd(end, root);
  // Data after the object would be lost.
  if (scan.behindSpace(end) < scan.end) refuse(scan.behindSpace(end));
}

/** Labels as JSON. */
interface Labels {
  readonly source: Buffer;
  readonly start: number;
  readonly end: number;
}

const brace = 0x7b;

/** The names of labels. */
function namesOf(labels: Labels | undefined): readonly string[] {
  const value = labels && new JsonScan(labels.source).value(labels.start, labels.end);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** Labels without those named like reserved fields; usually all labels, unchanged. */
function withoutReserved(labels: Labels): Labels {
  const { source, start, end } = labels;
  if (source[start] !== brace) return labels;
  const scan = new JsonScan(source.subarray(0, end));
  const parts: string[] = [];
  let hasReserved = false;
  scan.members(start, (nameStart, nameEnd, from, to) => {
    const name = source.toString('utf8', nameStart, nameEnd);
    hasReserved ||= reservedNames.has(name);
    parts.push(`"${labelName(name)}":${source.toString('utf8', from, to)}`);
  });
  if (!hasReserved) return labels;
  const written = Buffer.from(`{${parts.join(',')}}`);
  return { source: written, start: 0, end: written.length };
}

/** The dataset that labels name, and the labels without it. */
function withoutDataset(labels: unknown): { readonly dataset?: string; readonly rest?: Buffer } {
  if (typeof labels !== 'object' || labels === null) return {};
  const { [datasetLabel]: dataset, ...rest } = labels as Readonly<Record<string, unknown>>;
  return typeof dataset === 'string' ? { dataset, rest: Buffer.from(JSON.stringify(rest)) } : {};
}

/** Numbers of fields, which are their tags with the kind of value. */
const tags = {
  streams: (1 << 3) | lengthPrefixed,
  labels: (1 << 3) | lengthPrefixed,
  entries: (2 << 3) | lengthPrefixed,
  timestamp: (1 << 3) | lengthPrefixed,
  line: (2 << 3) | lengthPrefixed,
  metadata: (3 << 3) | lengthPrefixed,
  name: (1 << 3) | lengthPrefixed,
  value: (2 << 3) | lengthPrefixed,
  seconds: (1 << 3) | varint,
  nanos: (2 << 3) | varint,
} as const;

/**
 * The entries of a push in protobuf as events.
 *
 *     PushRequest { 1 streams[] }   Stream { 1 labels, 2 entries[] }   Entry { 1 Timestamp { 1 seconds, 2 nanos }, 2 line, 3 metadata[] { 1 name, 2 value } }
 *
 * @throws HttpError `invalid-events` if the body is damaged
 */
export function readProtobufPush(body: Uint8Array, streams: PartFilter, lines: EventLines): void {
  const reader = new WireReader(body);
  const pairs = { names: new MemberNames(reservedMetadata), beside: new Map<string, Buffer>(), lines };
  try {
    fields(reader, body.length, 'PushRequest', (tag, end) => {
      if (tag === tags.streams) readStream(reader, end, streams, pairs);
    });
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw httpError('invalid-events', { problem: `the body is not a valid push: ${error.message}` }, { cause: error });
  }
}

/**
 * Visits the length-prefixed and varint fields of a message, with the reader at their value. Skips
 * other fields.
 */
function fields(reader: WireReader, end: number, where: string, visit: (tag: number, end: number) => void): void {
  while (reader.at < end) {
    const tag = reader.tag(end, where);
    if ((tag & 7) === lengthPrefixed) {
      const behind = reader.length(end, where);
      visit(tag, behind);
      reader.at = behind;
    } else {
      reader.skip(tag, end, where);
      if ((tag & 7) === varint) visit(tag, reader.at);
    }
  }
}

/** Records the positions of the first three parts of an entry. */
function noteSpan(parts: number[], from: number, to: number): void {
  if (parts.length < 6) parts.push(from, to);
}

/** Output of name-value pairs, and the names written so far. */
interface Pairs {
  readonly names: MemberNames;
  /** Names for metadata beside labels of the stream (`metadataBeside`). */
  readonly beside: ReadonlyMap<string, Buffer>;
  readonly lines: EventLines;
}

function readStream(reader: WireReader, end: number, streams: PartFilter, pairs: Pairs): void {
  const start = reader.at;
  let text = '';
  fields(reader, end, 'Stream', (tag, behind) => {
    if (tag === tags.labels) text = reader.body.toString('utf8', reader.at, behind);
  });
  const parsed = parseLabels(text);
  if (!streams.takes(parsed?.get(datasetLabel))) return;
  // Unparsable labels are stored as sent.
  const labels = parsed ?? (text === '' ? [] : [['labels', text] as const]);
  const written = Object.fromEntries(
    [...labels]
      .filter(([name]) => !(streams.isNamed && name === datasetLabel))
      .map(([name, value]) => [labelName(name), value] as const),
  );
  const members = Buffer.from(JSON.stringify(written).slice(1, -1));
  const beside = { ...pairs, beside: metadataBeside(Object.keys(written)) };
  reader.at = start;
  fields(reader, end, 'Stream', (tag, behind) => {
    if (tag === tags.entries) readEntry(reader, behind, members, beside);
  });
}

/** Does not use {@link fields}, for speed: there are many entries. */
function readEntry(reader: WireReader, end: number, labels: Buffer, pairs: Pairs): void {
  const { lines } = pairs;
  let seconds = 0;
  let nanos = 0;
  let lineStart = 0;
  let lineEnd = 0;
  lines.begin();
  while (reader.at < end) {
    const tag = reader.tag(end, 'Entry');
    if (tag === tags.timestamp) {
      const behind = reader.length(end, 'Entry');
      while (reader.at < behind) {
        const part = reader.tag(behind, 'Timestamp');
        if (part !== tags.seconds && part !== tags.nanos) reader.skip(part, behind, 'Timestamp');
        else {
          reader.varint(behind, 'Timestamp');
          if (part === tags.seconds) seconds = reader.high * 2 ** 32 + reader.low;
          else nanos = reader.low;
        }
      }
    } else if (tag === tags.line) {
      lineEnd = reader.length(end, 'Entry');
      lineStart = reader.at;
      reader.at = lineEnd;
    } else if (tag === tags.metadata) {
      const behind = reader.length(end, 'Entry');
      writePair(reader, behind, pairs);
      reader.at = behind;
    } else reader.skip(tag, end, 'Entry');
  }
  lines.ready(labels);
  // Before 1973, the digits would be parsed in another unit.
  if (seconds >= 1e8 && seconds < 9e9 && nanos < 1e9) lines.instant(seconds, nanos);
  lines.utf8(message, reader.body, lineStart, lineEnd, reader.words);
  lines.end();
}

function writePair(reader: WireReader, end: number, { names, beside, lines }: Pairs): void {
  let [nameStart, nameEnd, valueStart, valueEnd] = [0, 0, 0, 0];
  while (reader.at < end) {
    const tag = reader.tag(end, 'LabelPair');
    if (tag !== tags.name && tag !== tags.value) {
      reader.skip(tag, end, 'LabelPair');
      continue;
    }
    const behind = reader.length(end, 'LabelPair');
    if (tag === tags.name) [nameStart, nameEnd] = [reader.at, behind];
    else [valueStart, valueEnd] = [reader.at, behind];
    reader.at = behind;
  }
  if (nameEnd <= nameStart) return;
  const name = reader.body.toString('latin1', nameStart, nameEnd);
  lines.utf8(beside.get(name) ?? names.of(name), reader.body, valueStart, valueEnd, reader.words);
}
