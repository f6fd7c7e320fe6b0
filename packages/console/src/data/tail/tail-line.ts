import { type Cell, cellOfJson } from '../answers/cells.js';
import { membersOf } from '../answers/split-answer.js';

/** A line of a tail. Events stay text: most of them are never looked at. */
export type TailLine =
  | { readonly kind: 'event'; readonly position: string; readonly cursor: string; readonly text: string }
  | { readonly kind: 'settled'; readonly position: string }
  | { readonly kind: 'behind'; readonly position: string; readonly settled: string }
  /** The server ends it now and then; it is asked for again. */
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly message: string };

/** What stands behind the event in its line. Position and cursor have no quotes in them. */
const PLACE = /,"position":"(\d+)","cursor":"([^"]+)"\}\s*$/;

/** @throws SyntaxError when it is no line of a tail */
export function readTailLine(line: string): TailLine {
  if (line.startsWith('{"event":')) {
    const [place = '', position, cursor] = PLACE.exec(line.slice(-200)) ?? [];
    if (position === undefined || cursor === undefined) throw new SyntaxError('an event without its place');
    return { kind: 'event', position, cursor, text: line.slice('{"event":'.length, line.length - place.length) };
  }
  const { settled, behind, error } = JSON.parse(line) as {
    readonly settled?: string;
    readonly behind?: { readonly position: string; readonly settled: string };
    readonly error?: { readonly message: string };
  };
  if (settled !== undefined) return { kind: 'settled', position: settled };
  if (behind !== undefined) return { kind: 'behind', position: behind.position, settled: behind.settled };
  return error === undefined ? { kind: 'end' } : { kind: 'error', message: error.message };
}

/** The values of an event, exactly; long ones are cut. */
export const cellsOfEvent = (text: string): ReadonlyMap<string, Cell> =>
  new Map(membersOf(text).map(([name, json]) => [name, cellOfJson(json, () => {})]));
