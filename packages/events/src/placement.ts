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

/** The fields of a batch that may be stored; it is encoded again with only these. */
export interface FieldsWithRoom {
  readonly kept: readonly string[];
}

/**
 * Decides which (field, type) pairs of a batch get a physical column of their own. The values of
 * the others go to the `_overflow` column of their rows, where a query finds them by name, but more
 * slowly.
 */
export interface Placement {
  /**
   * Called once per batch, after its last event. Returns one decision per use, in the order of
   * `batch.uses`, or which fields there is room for if not for all.
   */
  place(batch: BatchUses): Placed;
}

export type Placed = readonly boolean[] | FieldsWithRoom;

/**
 * A placement that also decides step by step, for whoever has to let others have a turn: a batch
 * may have a hundred thousand fields.
 */
export interface SteppedPlacement extends Placement {
  /** What `place` does, a little of it between one `next` and another. */
  placing(batch: BatchUses): Generator<void, Placed>;
}

/** All steps at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
