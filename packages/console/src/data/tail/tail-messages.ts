import type { Cell } from '../answers/cells.js';
import type { Standing } from './follow.js';

/** What the page and the worker that follows a tail say to each other. */

export interface TailRow {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly position: string;
  readonly cursor: string;
}

/** How a tail is at a moment. */
export interface TailState {
  readonly standing: Standing;
  /** Number of the oldest event that is kept; those before it are gone. */
  readonly first: number;
  /** Number of the event that comes next: so many have come. */
  readonly next: number;
  /** Where it began: everything behind it has come, up to `position`. */
  readonly since: string | undefined;
  readonly position: string | undefined;
  /** Events of each of the last seconds, the latest last. */
  readonly rates: readonly number[];
  /** The newest events, the last of them number `next - 1`. */
  readonly newest: readonly TailRow[];
}

/** What is followed: a query, behind a place; from now on if there is none. */
export interface TailQuestion {
  readonly apl: string;
  readonly after: string | undefined;
}

export type ToTail =
  | (TailQuestion & {
      readonly kind: 'start';
      /**
       * A lock that the page has as long as it is there; without, the worker ends with the page.
       */
      readonly lock?: string;
    })
  /** Somebody is signed in again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'rows'; readonly from: number; readonly to: number };

export type FromTail =
  | { readonly kind: 'state'; readonly state: TailState }
  | {
      readonly kind: 'rows';
      /** As it was asked for. */
      readonly from: number;
      /** Number of the first row: those before it are gone. */
      readonly start: number;
      readonly rows: readonly TailRow[];
    };
