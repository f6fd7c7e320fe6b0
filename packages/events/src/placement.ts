import type { FieldType } from './fields.js';

/** How often one (field, type) occurs in a batch. */
export interface FieldStats {
  readonly field: string;
  readonly type: FieldType;
  /** Rows of the batch that have a value. */
  readonly count: number;
  /** Bytes of the values alone, without the rows that have none. */
  readonly bytes: number;
}

/** Input of {@link ColumnPlacement.place}. */
export interface BatchFieldStats {
  readonly rows: number;
  readonly uses: readonly FieldStats[];
}

/** The fields of a batch that may be stored; it is encoded again with only these. */
export interface FieldsWithRoom {
  readonly kept: readonly string[];
}

/**
 * Decides which (field, type) pairs of a batch get a dedicated physical column. Values of other
 * pairs go to the `_overflow` column of their rows, where a query finds them by name, but more
 * slowly.
 */
export interface ColumnPlacement {
  /**
   * Called once per batch, after its last event. Returns one decision per use, in the order of
   * `batch.uses`, or the fields that fit if not all do.
   */
  place(batch: BatchFieldStats): PlacementResult;
}

export type PlacementResult = readonly boolean[] | FieldsWithRoom;

/**
 * A placement that can also decide in steps, so that the caller can yield: a batch may have a
 * hundred thousand fields.
 */
export interface SteppedPlacement extends ColumnPlacement {
  /** Like `place`, in small steps. */
  placeColumns(batch: BatchFieldStats): Generator<void, PlacementResult>;
}

/** All steps at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
