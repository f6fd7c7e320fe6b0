import type { Expr } from '@millrace/sql';
import type { ReferenceData } from './reference-data.js';
import type { ScalarType } from './types.js';

/**
 * One way to read a field: the value as `type`, null on rows where the field has another type or is
 * missing.
 */
export interface Reading {
  readonly type: ScalarType;
  /** Over the columns of the dataset's table. */
  readonly sql: Expr;
}

/**
 * A field of a dataset. More than one reading makes it a mixed field: at most one reading is
 * non-null in a row.
 */
export interface Field {
  readonly name: string;
  readonly readings: readonly Reading[];
  /** A declared map field: it holds whole objects, and `name.key` reads inside them. */
  readonly map?: boolean;
}

/**
 * Fields that few events have; there may be a hundred thousand. They become columns only in queries
 * that name them.
 */
export interface RareFields {
  /** Fields whose name is the word, or ends in a dot and the word. */
  ending(word: string): Iterable<Field>;
  all(): Iterable<Field>;
  has(name: string): boolean;
  names(): Iterable<string>;
}

/** The rare fields of a dataset, and expressions for all rare values of a row together. */
export interface Rest {
  readonly fields: RareFields;
  /**
   * JSON text of an object that maps the caller's own names for the values to their texts.
   * @param without fields to leave out because they are read as columns of their own
   */
  readonly bag: (without: readonly string[]) => Expr;
  /** The values alone, one per line, for searches. */
  readonly text: (without: readonly string[]) => Expr;
  /** The object `bag` with other names for some fields. */
  readonly renamed: (bag: Expr, names: ReadonlyMap<string, string>) => Expr;
}

export interface Dataset {
  readonly name: string;
  readonly database: string;
  readonly table: string;
  /**
   * All fields but the rare ones, and `_time` and `_sysTime`, which every dataset has as plain
   * columns of those names.
   */
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
  /** Other data that functions may look up. */
  readonly reference?: ReferenceData;
  /** APL of a view, by name. */
  view?(name: string): string | undefined;
  /**
   * What the text of a view may name, which is more than the query itself may if a view gives
   * access to data that is otherwise closed.
   */
  readonly inViews?: Catalogue;
  /**
   * What the expressions of virtual fields may name, if that is something else: a catalogue that
   * refuses the query when it names what is closed would refuse every query of a dataset because of
   * one field that is computed from closed data.
   */
  readonly inVirtualFields?: Catalogue;
}
