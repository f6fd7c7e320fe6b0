import type { Cell } from './cells.js';
import type { RawAnswer, RawTable } from './split-result.js';

/** Messages between the page and the worker that parses results. */

export type ToReader =
  | { readonly kind: 'read'; readonly id: number; readonly bytes: ArrayBuffer }
  | { readonly kind: 'whole'; readonly id: number; readonly ask: number; readonly key: string }
  | { readonly kind: 'forget'; readonly id: number };

export type FromReader =
  | {
      readonly kind: 'head';
      readonly id: number;
      readonly head: RawAnswer['head'];
      /** Without fields: there may be a hundred thousand; they follow in `fields` messages. */
      readonly tables: readonly RawTable['head'][];
    }
  /** More fields of a table. */
  | {
      readonly kind: 'fields';
      readonly id: number;
      readonly table: number;
      readonly fields: RawTable['head']['fields'];
    }
  /** Values of adjacent columns. */
  | {
      readonly kind: 'cells';
      readonly id: number;
      readonly table: number;
      /** Index of the first column. */
      readonly first: number;
      readonly columns: readonly (readonly Cell[])[];
    }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string }
  | { readonly kind: 'whole'; readonly ask: number; readonly text: string };
