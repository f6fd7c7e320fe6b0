import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';
import { ingestBounds } from '../ingest-limits.js';

const time = member('time');
const sampleRate = member('sampleRate');

/** Per event of a batch: why it was rejected; undefined if it was written. */
export type Problems = readonly (string | undefined)[];

/** Collects them. */
export class ProblemList {
  readonly all: (string | undefined)[] = [];
  #failedCount = 0;

  /** @throws HttpError `too-many-failures` */
  add(problem: string | undefined): void {
    this.all.push(problem);
    const limit = ingestBounds.answeredFailures.max;
    if (problem !== undefined && ++this.#failedCount > limit) throw httpError('too-many-failures', { limit });
  }
}

/**
 * Parses the events of a batch: `[{"data": {…}, "time": …, "samplerate": …}]`. The properties of
 * `data` are the fields.
 * @returns undefined if the body is not a list
 */
export function readBatch(body: Uint8Array, lines: EventLines): Problems | undefined {
  const scan = new JsonScan(body);
  const root = scan.behindSpace(0);
  if (!scan.isList(root)) return undefined;
  const problems = new ProblemList();
  const end = scan.elements(root, (start) => problems.add(readEvent(scan, start, lines)));
  return end < 0 || scan.behindSpace(end) < scan.end ? undefined : problems.all;
}

function readEvent(scan: JsonScan, start: number, lines: EventLines): string | undefined {
  if (!scan.isObject(start)) return 'the event is not an object';
  let data: readonly [number, number] | undefined;
  lines.begin();
  const end = scan.members(start, (nameStart, nameEnd, from, to) => {
    if (scan.is('data', nameStart, nameEnd)) data = [from, to];
    else if (scan.is('time', nameStart, nameEnd)) lines.time(time, scan.bytes, from, to);
    else if (scan.is('samplerate', nameStart, nameEnd)) {
      // Some libraries send the number in quotes.
      const quotes = /^"\d{1,15}"$/.test(scan.bytes.toString('latin1', from, to)) ? 1 : 0;
      lines.json(sampleRate, scan.bytes, from + quotes, to - quotes);
    }
  });
  if (end < 0 || data === undefined || !scan.isObject(data[0])) {
    lines.takeBack();
    return end < 0 ? 'the event is not valid JSON' : 'the event has no data';
  }
  lines.members(scan.bytes, ...data);
  lines.end();
  return undefined;
}
