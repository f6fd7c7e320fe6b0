/// <reference lib="webworker" />
import { follow, type Standing } from './follow.js';
import { createRing } from './ring.js';
import { cellsOfEvent, readTailLine, type TailLine } from './tail-line.js';
import type { FromTail, TailRow, TailState, ToTail } from './tail-messages.js';

/** Follows a tail away from the page: what nobody looks at costs it nothing. */

/** No eye follows more changes a second. */
const TELL_MILLISECONDS = 100;
/** As many rows as the highest screen shows. */
const NEWEST = 80;
const RATE_SECONDS = 60;

const ring = createRing();
let abort = new AbortController();
let standing: Standing = { kind: 'connecting' };
let since: string | undefined;
let position: string | undefined;
let rates: number[] = [];
let second = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const post = (message: FromTail): void => globalThis.postMessage(message);

/** Events are kept as the lines that they came in. */
const rowOf = (line: string): TailRow => {
  const read = readTailLine(line);
  if (read.kind !== 'event') throw new RangeError('the ring has events only');
  return { cells: cellsOfEvent(read.text), position: read.position, cursor: read.cursor };
};
const lineOf = ({ text, position: at, cursor }: Extract<TailLine, { kind: 'event' }>): string =>
  `{"event":${text},"position":"${at}","cursor":"${cursor}"}`;

const rowsFrom = (from: number, to: number): readonly TailRow[] => ring.slice(from, to).map(rowOf);

function count(events: number): void {
  const now = Math.floor(Date.now() / 1000);
  // Seconds in which nothing came are there, too.
  const passed = second === 0 ? 1 : Math.min(now - second, RATE_SECONDS);
  for (let each = 0; each < passed; each++) rates.push(0);
  second = now;
  rates = rates.slice(-RATE_SECONDS);
  rates[rates.length - 1]! += events;
}

function tell(): void {
  timer = undefined;
  count(0);
  const [first, next] = [ring.first(), ring.next()];
  const newest = rowsFrom(Math.max(first, next - NEWEST), next);
  const state: TailState = { standing, first, next, since, position, rates, newest };
  post({ kind: 'state', state });
}

const tellSoon = (): void => {
  timer ??= setTimeout(tell, TELL_MILLISECONDS);
};

function take(line: TailLine): void {
  switch (line.kind) {
    case 'event':
      ring.push(lineOf(line));
      count(1);
      break;
    case 'settled':
      since ??= line.position;
      position = line.position;
      break;
    case 'behind':
      position = line.position;
      break;
    case 'end':
    case 'error':
  }
  tellSoon();
}

function start(apl: string, after: string | undefined): void {
  abort.abort();
  abort = new AbortController();
  ring.clear();
  [since, position, rates, second] = [after, undefined, [], 0];
  void follow({
    after,
    signal: abort.signal,
    onLine: take,
    onStanding: (next) => {
      standing = next;
      tellSoon();
    },
    open: (place, signal) =>
      fetch('/console/api/v1/tail', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json', 'x-millrace-console': '1' },
        body: JSON.stringify({ apl, ...(place !== undefined && { after: place }) }),
        signal,
      }),
  });
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToTail>) => {
  switch (data.kind) {
    case 'start':
      return start(data.apl, data.after);
    case 'stop':
      return abort.abort();
    case 'rows':
      return post({
        kind: 'rows',
        from: data.from,
        start: Math.max(data.from, ring.first()),
        rows: rowsFrom(data.from, data.to),
      });
  }
});

// The rate falls and the age grows also while nothing comes.
setInterval(tellSoon, 1000);
