import { type Cell, cellOfJson } from '../results/cells.js';
import { membersOf } from '../results/split-result.js';

/** A line of a tail. Events stay unparsed: most are never shown. */
export type TailLine =
  | { readonly kind: 'event'; readonly position: string; readonly cursor: string; readonly text: string }
  /** `at` is the server's time. */
  | { readonly kind: 'settled'; readonly position: string; readonly at: string }
  | { readonly kind: 'behind'; readonly position: string; readonly settled: string }
  /** The server ends the stream now and then; it is requested again. */
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly message: string };

/** The end of a line, after the event. Position and cursor contain no quotes. */
const PLACE = /,"position":"(\d+)","cursor":"([^"]+)"\}\s*$/;

/** @throws SyntaxError when it is not a line of a tail */
export function readTailLine(line: string): TailLine {
  if (line.startsWith('{"event":')) {
    const [place = '', position, cursor] = PLACE.exec(line.slice(-200)) ?? [];
    if (position === undefined || cursor === undefined) throw new SyntaxError('event without a position');
    return { kind: 'event', position, cursor, text: line.slice('{"event":'.length, line.length - place.length) };
  }
  const { settled, at, behind, error } = JSON.parse(line) as {
    readonly settled?: string;
    readonly at?: string;
    readonly behind?: { readonly position: string; readonly settled: string };
    readonly error?: { readonly message: string };
  };
  if (settled !== undefined) return { kind: 'settled', position: settled, at: at ?? '' };
  if (behind !== undefined) return { kind: 'behind', position: behind.position, settled: behind.settled };
  return error === undefined ? { kind: 'end' } : { kind: 'error', message: error.message };
}

/** Exact values of an event; long ones are truncated. */
export const cellsOfEvent = (text: string): ReadonlyMap<string, Cell> =>
  new Map(membersOf(text).map(([name, json]) => [name, cellOfJson(json, () => {})]));
