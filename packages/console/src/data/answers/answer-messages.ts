import type { Cell } from './cells.js';
import type { RawAnswer, RawTable } from './split-answer.js';

/** What the page and the worker that reads answers say to each other. */

export type ToReader =
  | { readonly kind: 'read'; readonly id: number; readonly bytes: ArrayBuffer }
  | { readonly kind: 'whole'; readonly id: number; readonly ask: number; readonly key: string }
  | { readonly kind: 'forget'; readonly id: number };

export type FromReader =
  | {
      readonly kind: 'head';
      readonly id: number;
      readonly head: RawAnswer['head'];
      /** Without their fields, of which there may be a hundred thousand. */
      readonly tables: readonly RawTable['head'][];
    }
  /** More fields of a table. */
  | {
      readonly kind: 'fields';
      readonly id: number;
      readonly table: number;
      readonly fields: RawTable['head']['fields'];
    }
  /** The next values of some columns that stand beside each other. */
  | {
      readonly kind: 'cells';
      readonly id: number;
      readonly table: number;
      /** Number of the first column. */
      readonly first: number;
      readonly columns: readonly (readonly Cell[])[];
    }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string }
  | { readonly kind: 'whole'; readonly ask: number; readonly text: string };
