import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';

const time = member('time');
const sampleRate = member('sampleRate');

/** Why each of the events of a batch is none; undefined for those that are written. */
export type Problems = readonly (string | undefined)[];

/**
 * The events of a batch: `[{"data": {…}, "time": …, "samplerate": …}]`. The members of `data` are the fields.
 * @returns undefined if the body is no list
 */
export function readBatch(body: Uint8Array, lines: EventLines): Problems | undefined {
  const scan = new JsonScan(body);
  const root = scan.behindSpace(0);
  if (!scan.isList(root)) return undefined;
  const problems: (string | undefined)[] = [];
  const end = scan.elements(root, (start) => problems.push(readEvent(scan, start, lines)));
  return end < 0 ? undefined : problems;
}

function readEvent(scan: JsonScan, start: number, lines: EventLines): string | undefined {
  if (!scan.isObject(start)) return 'the event is not an object';
  let data: readonly [number, number] | undefined;
  lines.begin();
  const end = scan.members(start, (nameStart, nameEnd, from, to) => {
    if (scan.is('data', nameStart, nameEnd)) data = [from, to];
    else if (scan.is('time', nameStart, nameEnd)) lines.time(time, scan.bytes, from, to);
    else if (scan.is('samplerate', nameStart, nameEnd)) lines.json(sampleRate, scan.bytes, from, to);
  });
  if (end < 0 || data === undefined || !scan.isObject(data[0])) {
    lines.takeBack();
    return end < 0 ? 'the event is not valid JSON' : 'the event has no data';
  }
  lines.members(scan.bytes, ...data);
  lines.end();
  return undefined;
}
