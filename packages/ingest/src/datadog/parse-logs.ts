import { httpError } from '@millrace/api/errors';
import { JsonScan, longestValue } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';

const timestamp = member('timestamp');
const tags = member('tags');

/**
 * Converts entries of the agent to events: lists of objects, objects, or lines of them. `timestamp`
 * is the time, and `ddtags` becomes the object `tags`, unless it is too long.
 * @throws HttpError `invalid-events` if the body is neither; malformed entries fail individually
 */
export function readLogs(body: Uint8Array, lines: EventLines): void {
  const scan = new JsonScan(body);
  const entry = (start: number, scan: JsonScan): void => {
    if (scan.isObject(start)) readEntry(scan, start, lines);
    else lines.fail(start, `byte ${start}: expected an entry, which is an object`);
  };
  const root = scan.behindSpace(0);
  if (root < scan.end && !scan.isList(root) && !scan.isObject(root))
    throw httpError('invalid-events', { problem: 'the body is neither a list of entries nor an entry' });
  let broken: JsonScan | undefined;
  for (let at = root; at < scan.end; at = scan.behindSpace(at)) {
    // After a broken list, line by line: lists in it would be scanned repeatedly.
    if (broken !== undefined && at >= broken.end) broken = scan.line(at);
    const line = broken ?? scan.within(at);
    let end: number;
    if (line.isList(at)) {
      end = line.elements(at, (start) => entry(start, line));
      if (end < 0) broken ??= scan.line(at);
      if (end < 0) lines.fail(at, `byte ${at}: the list of entries is broken behind its last good entry`);
    } else {
      end = line.isObject(at) ? line.valueEnd(at) : -1;
      entry(at, line);
    }
    at = end < 0 ? scan.nextLine(at) : end;
  }
}

function readEntry(scan: JsonScan, start: number, lines: EventLines): void {
  lines.begin();
  let empty = true;
  const end = scan.members(start, (nameStart, nameEnd, from, to) => {
    empty = false;
    if (scan.is('timestamp', nameStart, nameEnd)) lines.time(timestamp, scan.bytes, from, to);
    else if (scan.is('ddtags', nameStart, nameEnd) && scan.isString(from) && to - from <= longestValue)
      writeTags(scan.value(from, to), lines);
    else lines.member(scan.bytes, nameStart, nameEnd, from, to);
  });
  if (end >= 0 && !empty) return lines.end();
  lines.takeBack();
  if (end < 0) lines.fail(start, `byte ${start}: the entry is not valid JSON`);
}

/** `env:prod,team:a,team:b,canary` becomes `{"env":"prod","team":["a","b"],"canary":true}`. */
export function tagsIn(text: string): Readonly<Record<string, string | true | readonly (string | true)[]>> {
  const found = new Map<string, (string | true)[]>();
  for (const tag of text.split(',').map((each) => each.trim())) {
    if (tag === '') continue;
    const colon = tag.indexOf(':');
    const name = colon <= 0 ? tag : tag.slice(0, colon);
    const values = found.get(name) ?? [];
    values.push(colon <= 0 ? true : tag.slice(colon + 1));
    found.set(name, values);
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

function writeTags(text: unknown, lines: EventLines): void {
  const json = typeof text === 'string' ? Buffer.from(JSON.stringify(tagsIn(text))) : undefined;
  if (json !== undefined && json.length > '{}'.length) lines.json(tags, json, 0, json.length);
}
