import type { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { readObjects, writeObject } from '../formats/object-lists.js';

const time = member('time');

/**
 * Reads CloudEvents in JSON: one, lines, or a batch. Attributes and `data` keep their names, and
 * `time` is the time.
 * @throws HttpError `invalid-events` if the body is none of these
 */
export const readCloudEvents = (body: Uint8Array, lines: EventLines): void =>
  readObjects(body, 'event', writeEvent, lines);

function writeEvent(scan: JsonScan, start: number, lines: EventLines): void {
  writeObject(scan, start, lines, {
    what: 'event',
    write(nameStart, nameEnd, from, to) {
      if (!scan.is('time', nameStart, nameEnd)) return false;
      lines.time(time, scan.bytes, from, to);
      return true;
    },
  });
}

const data = member('data');
const dataBase64 = member('data_base64');

/** Reads the body of an event whose attributes are headers: it becomes `data`. */
export function readData(body: Uint8Array, mediaType: string, lines: EventLines): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  lines.begin();
  if (bytes.length > 0) {
    if (mediaType === '' || /[/+]json$/.test(mediaType)) lines.json(data, bytes, 0, bytes.length);
    else if (mediaType.startsWith('text/') || mediaType.endsWith('xml')) lines.utf8(data, bytes, 0, bytes.length);
    else lines.text(dataBase64, bytes.toString('base64'));
  }
  lines.end();
}
