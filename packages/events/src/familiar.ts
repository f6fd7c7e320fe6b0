import type { FieldType } from './fields.js';

/**
 * What a dataset knows of fields in its overflow column. A body leaves those fields out of what it
 * tells: with a hundred thousand names, telling takes longer than everything else.
 */
export interface Familiar {
  /**
   * Stands for the dataset and what it knows: another number, above 0, as soon as it forgets a
   * field or gives one a column.
   */
  readonly mark: number;
  /** A field in this share of the rows of a body, or in more of them, is told of all the same. */
  readonly share: number;
  /**
   * Whether it knows that values of the type lie in the overflow column, and there is no column for
   * them.
   */
  has(field: string, type: FieldType): boolean;
}
