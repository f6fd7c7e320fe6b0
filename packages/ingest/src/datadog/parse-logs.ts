import { type JsonScan, longestValue } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { readObjects, writeObject } from '../formats/object-lists.js';

const timestamp = member('timestamp');
const tags = member('tags');

/**
 * Converts entries of the agent to events: lists of objects, objects, or lines of them. `timestamp`
 * is the time, and `ddtags` becomes the object `tags`, unless it is too long.
 * @throws HttpError `invalid-events` if the body is neither; malformed entries fail individually
 */
export const readLogs = (body: Uint8Array, lines: EventLines): void => readObjects(body, 'entry', writeEntry, lines);

function writeEntry(scan: JsonScan, start: number, lines: EventLines): void {
  writeObject(scan, start, lines, {
    what: 'entry',
    write(nameStart, nameEnd, from, to) {
      if (scan.is('timestamp', nameStart, nameEnd)) lines.time(timestamp, scan.bytes, from, to);
      else if (scan.is('ddtags', nameStart, nameEnd) && scan.isString(from) && to - from <= longestValue)
        writeTags(scan.value(from, to), lines);
      else return false;
      return true;
    },
  });
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
