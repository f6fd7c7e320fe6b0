import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import type { EventLines } from '../event-lines.js';

/** Writes the object that starts at `start`. */
export type WriteObject = (scan: JsonScan, start: number, lines: EventLines) => void;

/**
 * Reads lists of objects, objects, or lines of them; each becomes an event.
 * @param what name of an object in errors
 * @throws HttpError `invalid-events` if the body is neither; malformed objects fail individually
 */
export function readObjects(body: Uint8Array, what: string, write: WriteObject, lines: EventLines): void {
  const scan = new JsonScan(body);
  const entry = (start: number, scan: JsonScan): void => {
    if (scan.isObject(start)) write(scan, start, lines);
    else lines.fail(start, `byte ${start}: expected an ${what}, which is an object`);
  };
  const root = scan.behindSpace(0);
  if (root < scan.end && !scan.isList(root) && !scan.isObject(root))
    throw httpError('invalid-events', { problem: `the body is neither a list of ${plural(what)} nor an ${what}` });
  let broken: JsonScan | undefined;
  for (let at = root; at < scan.end; at = scan.behindSpace(at)) {
    // After a broken list, line by line: lists in it would be scanned repeatedly.
    if (broken !== undefined && at >= broken.end) broken = scan.line(at);
    const line = broken ?? scan.within(at);
    let end: number;
    let last = at;
    if (line.isList(at)) {
      end = line.elements(at, (start, elementEnd) => {
        last = elementEnd;
        entry(start, line);
      });
      if (end < 0) broken ??= scan.line(last);
      if (end < 0) lines.fail(last, `byte ${last}: the list of ${plural(what)} is broken behind its last good ${what}`);
    } else {
      end = line.isObject(at) ? line.valueEnd(at) : -1;
      entry(at, line);
    }
    at = end < 0 ? scan.nextLine(last) : end;
  }
}

const plural = (what: string): string => what.replace(/(y)?$/, (_, y: string | undefined) => (y ? 'ies' : 's'));

/** Writes a property; returns false if it is to be copied unchanged. */
type WriteMember = (nameStart: number, nameEnd: number, start: number, end: number) => boolean;

/** Writes an object as an event, property by property. An empty object is no event. */
export function writeObject(
  scan: JsonScan,
  start: number,
  lines: EventLines,
  { what, write, before }: { readonly what: string; readonly write: WriteMember; readonly before?: () => void },
): void {
  lines.begin();
  before?.();
  let empty = true;
  const end = scan.members(start, (nameStart, nameEnd, from, to) => {
    empty = false;
    if (!write(nameStart, nameEnd, from, to)) lines.member(scan.bytes, nameStart, nameEnd, from, to);
  });
  if (end >= 0 && !empty) return lines.end();
  lines.takeBack();
  if (end < 0) lines.fail(start, `byte ${start}: the ${what} is not valid JSON`);
}
