import type { FieldType } from './fields.js';

/** How often one (field, type) occurs in a batch. */
export interface FieldUse {
  readonly field: string;
  readonly type: FieldType;
  /** Rows of the batch that have a value. */
  readonly count: number;
  /** Bytes of the values alone, without the rows that have none. */
  readonly bytes: number;
}

/** What {@link Placement.place} decides about. */
export interface BatchUses {
  readonly rows: number;
  readonly uses: readonly FieldUse[];
}

/**
 * Decides which (field, type) pairs of a batch get a physical column of their own. The values of the others go to the
 * `_overflow` column of their rows, where a query finds them by name, but more slowly.
 */
export interface Placement {
  /** Called once per batch, after its last event. Returns one decision per use, in the order of `batch.uses`. */
  place(batch: BatchUses): readonly boolean[];
}
