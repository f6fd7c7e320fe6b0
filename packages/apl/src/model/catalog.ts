import type { Expr } from '@millrace/sql';
import type { ReferenceData } from './reference-data.js';
import type { ScalarType } from './types.js';

/**
 * One way to read a field: the value as `type`, null on rows where the field has another type or is
 * missing.
 */
export interface FieldVariant {
  readonly type: ScalarType;
  /** Over the columns of the dataset's table. */
  readonly sql: Expr;
}

/**
 * A field of a dataset. More than one type variant makes it a mixed field: at most one is non-null
 * in a row.
 */
export interface Field {
  readonly name: string;
  readonly readings: readonly FieldVariant[];
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
  /** Whether a field name continues the path after a dot. May return true for other paths. */
  beneath(path: string): boolean;
}

/** The rare fields of a dataset, and expressions for all rare values of a row together. */
export interface Rest {
  readonly fields: RareFields;
  /**
   * JSON text of an object that maps the caller's own names for the values to their texts.
   * @param without fields to leave out because they are read as separate columns
   */
  readonly bag: (without: readonly string[]) => Expr;
  /** The values alone, one per line, for searches. */
  readonly text: (without: readonly string[]) => Expr;
  /** The object `bag` with other names for some fields. */
  readonly renamed: (bag: Expr, names: ReadonlyMap<string, string>) => Expr;
  /**
   * The fields of the object `bag` below a path as members of a nested JSON object: JSON text with
   * a comma before each member, empty if there are none.
   * @param except members whose own members are left out
   */
  readonly members: (bag: Expr, path: string, except: readonly string[]) => Expr;
}

export interface Dataset {
  readonly name: string;
  readonly database: string;
  readonly table: string;
  /**
   * All fields except rare ones, and `_time` and `_sysTime`, which every dataset has as plain
   * columns of those names.
   */
  readonly fields: ReadonlyMap<string, Field>;
  /** Present if some fields are rare. */
  readonly rest?: Rest;
  /** Virtual fields: name → APL expression. */
  readonly virtualFields?: ReadonlyMap<string, string>;
}

/** The binder's view of the data: a snapshot, constant while a query compiles. */
export interface Catalog {
  dataset(name: string): Dataset | undefined;
  /** Names of all datasets the caller may read; wildcards are matched against them. */
  readonly names: readonly string[];
  /** Other data for lookup functions. */
  readonly reference?: ReferenceData;
  /** APL of a view, by name. */
  view?(name: string): string | undefined;
  /**
   * Catalog for the text of a view, if a view gives access to data that the query itself must not
   * read.
   */
  readonly inViews?: Catalog;
  /**
   * Catalog for the expressions of virtual fields, if it differs. A catalog that rejects a query
   * when it names inaccessible data would reject every query of a dataset because of one virtual
   * field that reads such data.
   */
  readonly inVirtualFields?: Catalog;
}
