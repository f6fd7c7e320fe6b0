import type { Random } from './random.js';

/** A column, declared as an expert who knows the events would declare it. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
  /** Its type in DuckDB; a column without one is not loaded there. */
  readonly duck: string;
}

/** A kind of events: a generator and a hand-made table for them. */
export interface Shape {
  readonly name: string;
  readonly title: string;
  /** One event as JSON text, determined by the random numbers and the index. */
  readonly event: (random: Random, index: number) => string;
  /** Field that supplies the time, if it is not `_time`. */
  readonly timestampField?: string;
  /** The hand-made table; its rows are sorted by `sortKey`. */
  readonly columns: readonly TypedColumn[];
  readonly sortKey: string;
  /** Whether events have no nested values, so that they can be sent as CSV too. */
  readonly flat: boolean;
}

/** All events lie after this time. */
export const firstTime = Date.UTC(2026, 10, 1);

/**
 * The time of an event, `2026-11-01T00:00:00.000123Z`: events come at a fixed interval, with some
 * jitter.
 */
export function timeOf(random: Random, index: number, everyMicroseconds: number): string {
  const micros = Math.floor((index + random.fraction()) * everyMicroseconds);
  const iso = new Date(firstTime + Math.floor(micros / 1000)).toISOString();
  return `${iso.slice(0, 23)}${String(micros % 1000).padStart(3, '0')}Z`;
}
