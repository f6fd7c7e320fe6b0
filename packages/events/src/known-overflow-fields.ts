import type { FieldType } from './fields.js';

/**
 * The fields that a dataset knows in its overflow column. The encoder does not report them: with a
 * hundred thousand names, reporting takes longer than everything else.
 */
export interface KnownOverflowFields {
  /**
   * ID of the dataset and its known fields: a new number, above 0, when it drops a field or gives
   * one a column.
   */
  readonly mark: number;
  /** A known field in at least this share of the rows of a body is still reported. */
  readonly share: number;
  /**
   * Whether it knows values of the type in the overflow column, and there is no column for them.
   */
  has(field: string, type: FieldType): boolean;
}
