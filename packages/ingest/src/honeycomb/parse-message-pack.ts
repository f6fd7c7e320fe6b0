import { httpError } from '@millrace/api/errors';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { JsonBytes } from '../bytes/json-bytes.js';
import { PackReader } from '../bytes/message-pack.js';
import { type EventLines, member } from '../event-lines.js';
import { ProblemList, type Problems } from './parse-batch.js';

const time = member('time');
const sampleRate = member('sampleRate');

/** The same as a batch in JSON, in MessagePack. */
export const readPackedBatch = (body: Uint8Array, lines: EventLines): Problems | undefined =>
  readBody(body, (reader) => {
    const count = reader.enter('list');
    if (count === undefined) return undefined;
    const problems = new ProblemList();
    for (let left = count; left > 0; left--) {
      const start = reader.at;
      reader.skip();
      const end = reader.at;
      reader.at = start;
      problems.add(readEvent(reader, lines));
      reader.at = end;
    }
    return problems.all;
  });

/** Parses a single event: a map of its fields. */
export const readPackedEvent = (body: Uint8Array, lines: EventLines): Problems =>
  readBody(body, (reader) => {
    const count = reader.enter('map');
    if (count === undefined) return ['the event is not a map'];
    lines.begin();
    writeFields(reader, count, lines);
    lines.end();
    return [undefined];
  });

/**
 * @throws HttpError `invalid-events` for invalid MessagePack: the end of its events is unknown then
 */
function readBody<T>(body: Uint8Array, read: (reader: PackReader) => T): T {
  try {
    const reader = new PackReader(body);
    const result = read(reader);
    if (result !== undefined && reader.at < body.length)
      throw new CorruptDataError(`byte ${reader.at}: something follows`);
    return result;
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw httpError('invalid-events', { problem: `the body is not valid MessagePack: ${error.message}` });
  }
}

/** `{data: {…}, time?, samplerate?}`. */
function readEvent(reader: PackReader, lines: EventLines): string | undefined {
  const count = reader.enter('map');
  if (count === undefined) return 'the event is not a map';
  let data = -1;
  lines.begin();
  for (let left = count; left > 0; left--) {
    const name = reader.text();
    if (name === undefined) reader.skip();
    if (name === 'data') data = reader.at;
    if (name === 'time') writeTime(reader, lines);
    else if (name === 'samplerate') {
      const out = lines.next();
      out.bytes(sampleRate);
      reader.value(out);
    } else reader.skip();
  }
  if (data >= 0) reader.at = data;
  const fields = data < 0 ? undefined : reader.enter('map');
  if (fields === undefined) {
    lines.takeBack();
    return 'the event has no data';
  }
  writeFields(reader, fields, lines);
  lines.end();
  return undefined;
}

function writeFields(reader: PackReader, count: number, lines: EventLines): void {
  for (let left = count; left > 0; left--) reader.member(() => lines.next());
}

function writeTime(reader: PackReader, lines: EventLines): void {
  const out = new JsonBytes(64, 4096, () => new CorruptDataError('the time is too long'));
  reader.value(out);
  const json = out.writtenBytes();
  lines.time(time, json, 0, json.length);
}
