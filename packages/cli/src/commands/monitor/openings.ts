import type { AnswerOf } from '@millrace/client';
import type { Opening } from './cases.js';

/** Compares the openings of a back-test with the expected ones. */

type Change = AnswerOf<'previewMonitor'>['changes'][number];

/** Openings with their closings, in the order in which they opened. */
export function openingsOf(changes: readonly Change[]): readonly Opening[] {
  const openings: Opening[] = [];
  /** Index of the last opening of a group. */
  const last = new Map<string, number>();
  for (const { time, state, keys, values } of changes) {
    const group = Object.fromEntries(values.map((value, i) => [keys[i] ?? String(i), value]));
    const key = keyOf(group);
    const index = last.get(key);
    if (state === 'open') {
      last.set(key, openings.length);
      openings.push({ opened: Date.parse(time), closed: undefined, group });
    } else if (index !== undefined) openings[index] = { ...openings[index]!, closed: Date.parse(time) };
  }
  return openings;
}

interface Differences {
  readonly missing: readonly Opening[];
  readonly unexpected: readonly Opening[];
}

/** Each opening counts once, so two expected equal ones need two. */
export function compareOpenings(expected: readonly Opening[], found: readonly Opening[]): Differences {
  const rest = [...found];
  const missing = expected.filter((opening) => {
    const index = rest.findIndex((each) => textOf(each) === textOf(opening));
    if (index !== -1) rest.splice(index, 1);
    return index === -1;
  });
  return { missing, unexpected: rest };
}

/** `opened 2026-11-20T10:03:00Z, closed 2026-11-20T10:08:00Z, host: "db-1"` */
export function textOf({ opened, closed, group }: Opening): string {
  const names = Object.entries(group)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const end = closed === undefined ? 'still open' : `closed ${instant(closed)}`;
  return [`opened ${instant(opened)}`, end, ...names].join(', ');
}

const keyOf = (group: Opening['group']): string => JSON.stringify(Object.entries(group));

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
