import { consolePath } from '../address/console-path.js';
import { orgHeader } from '../organization.js';
import { follow, type TailStatus } from './follow.js';
import { createRing } from './ring.js';
import { cellsOfEvent, readTailLine, type TailLine } from './tail-line.js';
import type { TailRequest, TailRow, TailState } from './tail-messages.js';

/** A tail and its newest events, shared by all subscribers. */
export interface FollowedTail {
  state(): TailState;
  /** Events by number, without evicted ones; `start` is the number of the first. */
  rows(from: number, to: number): { readonly start: number; readonly rows: readonly TailRow[] };
  /** Resumes after a sign-in, if it waits for one. */
  again(): void;
  stop(): void;
}

/** Rows of a very tall screen. */
const NEWEST = 80;
const RATE_SECONDS = 60;

/** Follows a query. `onChange` is called on every change; it should only schedule work. */
export function followTail({ apl, after, organization }: TailRequest, onChange: () => void): FollowedTail {
  const ring = createRing();
  const abort = new AbortController();
  let standing: TailStatus = { kind: 'connecting' };
  let since = after;
  let startedAt: string | undefined;
  let position: string | undefined;
  let rates: number[] = [];
  let second = 0;
  let goOn = (): void => {};

  function count(events: number): void {
    const now = Math.floor(Date.now() / 1000);
    // Includes seconds without events.
    const passed = second === 0 ? 1 : Math.min(now - second, RATE_SECONDS);
    for (let each = 0; each < passed; each++) rates.push(0);
    second = now;
    rates = rates.slice(-RATE_SECONDS);
    rates[rates.length - 1]! += events;
  }
  function take(line: TailLine): void {
    switch (line.kind) {
      case 'event':
        ring.push(lineOf(line));
        count(1);
        break;
      case 'settled':
        // The first line of a tail without `after` is its start, before any event.
        if (since === undefined) [since, startedAt] = [line.position, line.at];
        position = line.position;
        break;
      case 'behind':
        position = line.position;
        break;
      case 'end':
      case 'error':
    }
    onChange();
  }
  const rowsFrom = (from: number, to: number): readonly TailRow[] => ring.slice(from, to).map(rowOf);
  void follow({
    after,
    signal: abort.signal,
    signedIn: () => new Promise((resolve) => (goOn = resolve)),
    onLine: take,
    onStanding: (next) => {
      standing = next;
      onChange();
    },
    open: (place, signal) =>
      fetch(`${consolePath}api/v1/tail`, {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json', 'x-millrace-console': '1', ...orgHeader(organization) },
        body: JSON.stringify({ apl, ...(place !== undefined && { after: place }) }),
        signal,
      }),
  });
  return {
    state: () => {
      count(0);
      const [first, next] = [ring.first(), ring.next()];
      const newest = rowsFrom(Math.max(first, next - NEWEST), next);
      return { standing, first, next, since, startedAt, position, rates, newest };
    },
    rows: (from, to) => ({ start: Math.max(from, ring.first()), rows: rowsFrom(from, to) }),
    again: () => goOn(),
    stop: () => {
      abort.abort();
      goOn();
    },
  };
}

/** Events stay as the received lines. */
const rowOf = (line: string): TailRow => {
  const read = readTailLine(line);
  if (read.kind !== 'event') throw new RangeError('the ring has events only');
  return { cells: cellsOfEvent(read.text), position: read.position, cursor: read.cursor };
};
const lineOf = ({ text, position, cursor }: Extract<TailLine, { kind: 'event' }>): string =>
  `{"event":${text},"position":"${position}","cursor":"${cursor}"}`;
