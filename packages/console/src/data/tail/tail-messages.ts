import type { Cell } from '../results/cells.js';
import type { TailStatus } from './follow.js';

/** Messages between the page and the worker of its tail. */

export interface TailRow {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly position: string;
  readonly cursor: string;
}

/** State of a tail. */
export interface TailState {
  readonly standing: TailStatus;
  /** Number of the oldest event in the buffer. */
  readonly first: number;
  /** Number of the next event, which is the count so far. */
  readonly next: number;
  /** Where it started: everything after it up to `position` has arrived. */
  readonly since: string | undefined;
  /** Time of the start, unless the page chose the position. */
  readonly startedAt: string | undefined;
  readonly position: string | undefined;
  /** Events per second of the last seconds, latest last. */
  readonly rates: readonly number[];
  /** The newest events, up to number `next - 1`. */
  readonly newest: readonly TailRow[];
}

/** Query, start position (without one, from now on), and the organization that the tab shows. */
export interface TailRequest {
  readonly apl: string;
  readonly after: string | undefined;
  readonly organization?: string | undefined;
}

export type ToTail =
  | (TailRequest & {
      readonly kind: 'start';
      /** A lock that lives as long as the page; without it, the worker ends with the page. */
      readonly lock?: string;
    })
  /** The user signed in again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'rows'; readonly from: number; readonly to: number };

export type FromTail =
  | { readonly kind: 'state'; readonly state: TailState }
  | {
      readonly kind: 'rows';
      /** As requested. */
      readonly from: number;
      /** Number of the first row; earlier ones are evicted. */
      readonly start: number;
      readonly rows: readonly TailRow[];
    };
