import type { Expr } from '@millrace/sql';
import type { ReferenceData } from './reference-data.js';
import type { ScalarType } from './types.js';

/** One way to read a field: the value as `type`, null on rows where the field has another type or is missing. */
export interface Reading {
  readonly type: ScalarType;
  /** Over the columns of the dataset's table. */
  readonly sql: Expr;
}

/** A field of a dataset. More than one reading makes it a mixed field: at most one reading is non-null in a row. */
export interface Field {
  readonly name: string;
  readonly readings: readonly Reading[];
  /** Declared map field: holds whole objects, `name.key` reads inside. */
  readonly map?: boolean;
}

/** Fields that few events have, possibly a hundred thousand: columns only of queries that name them. */
export interface RareFields {
  /** Those whose name is the word or ends in it behind a dot. */
  ending(word: string): Iterable<Field>;
  all(): Iterable<Field>;
}

/** The rare fields of a dataset, and all of a row together. */
export interface Rest {
  readonly fields: RareFields;
  /**
   * JSON text of an object: whatever names the caller has for the values → their texts.
   * @param without fields that are read as columns of their own
   */
  readonly bag: (without: readonly string[]) => Expr;
  /** The values alone, one a line; what a search looks into. */
  readonly text: (without: readonly string[]) => Expr;
}

export interface Dataset {
  readonly name: string;
  readonly database: string;
  readonly table: string;
  /** All fields but the rare ones, and `_time` and `_sysTime`, which every dataset has as plain columns of those names. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Present if some fields are rare. */
  readonly rest?: Rest;
  /** Virtual fields: name → APL expression. */
  readonly virtualFields?: ReadonlyMap<string, string>;
}

/** What the binder may know about the data: a snapshot, never changed while a query compiles. */
export interface Catalogue {
  dataset(name: string): Dataset | undefined;
  /** Names of all datasets the caller may read; wildcards are matched against them. */
  readonly names: readonly string[];
  /** What functions may look up besides. */
  readonly reference?: ReferenceData;
  /** APL of a view, by name. */
  view?(name: string): string | undefined;
  /** What the text of a view may name: more than the query itself, where a view is the way to data that is closed otherwise. */
  readonly inViews?: Catalogue;
}
