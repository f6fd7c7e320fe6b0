import type { RareFields, Rest } from '../catalogue.js';
import type { ScalarType } from '../types.js';
import { columnOf } from './scalar.js';
import type { Bound, ColumnId } from './scalar.js';

/**
 * What a column means in an aggregated result; set by `summarize`, kept while the column is passed
 * on.
 */
export type Role =
  | { readonly kind: 'group' }
  /** The time bin of a time series. */
  | { readonly kind: 'bucket' }
  | { readonly kind: 'aggregate'; readonly api: AggregateInfo };

/** An aggregate as results describe it. */
export interface AggregateInfo {
  readonly name: string;
  readonly fields?: readonly string[];
  readonly args?: readonly (string | number | boolean)[];
}

/** A column that a query can see. Several readings make it a mixed one. */
export interface Field {
  readonly name: string;
  readonly readings: readonly { readonly type: ScalarType; readonly id: ColumnId }[];
  readonly role?: Role;
  /**
   * Set if it is what events have under this name; the same for all fields of these events, also of
   * those that a map field holds (`names/in-maps.ts`).
   */
  readonly events?: ColumnId;
  /** What it is called elsewhere; found by that as well, unless another column has the name. */
  readonly alias?: string;
}

/**
 * The columns that identify an event in its dataset, and when it arrived; carried along, invisible,
 * as long as rows stay events.
 */
export interface RowId {
  readonly sysTime: ColumnId;
  readonly time: ColumnId;
  readonly seq: ColumnId;
  readonly row: ColumnId;
}

/**
 * Rare fields that the query does not name, all together; carried along, invisible, as long as
 * whole events are asked for.
 */
export interface RestColumns {
  readonly bag: ColumnId;
  readonly text: ColumnId;
  readonly names: RestNames;
  /** That of each of them; of an aggregate the fields lack the last, which is the field itself. */
  readonly role?: Role;
}

/** The names of the rare fields that may be among the rest; there may be a hundred thousand. */
export interface RestNames extends Pick<RareFields, 'has' | 'names'> {
  /** The bag with other names for some of them. */
  readonly renamed: Rest['renamed'];
}

export interface Schema {
  readonly fields: readonly Field[];
  readonly rowId?: RowId;
  readonly rest?: RestColumns;
}

/** The schema of rows that are no longer whole events. */
export const withoutRest = ({ fields, rowId }: Schema): Schema => ({
  fields,
  ...(rowId !== undefined && { rowId }),
});

/** The schema of rows that are no events any more but have all fields of one. */
export const withoutRowId = ({ fields, rest }: Schema): Schema => ({
  fields,
  ...(rest !== undefined && { rest }),
});

/**
 * When events arrived, if the fields do not tell: the query left the field out, or made one of that
 * name itself.
 */
export function hiddenArrival({ fields, rowId }: Schema): ColumnId | undefined {
  const isShown = fields.some(
    ({ name, readings: [only, ...others] }) =>
      name === '_sysTime' && only?.id === rowId?.sysTime && others.length === 0,
  );
  return isShown ? undefined : rowId?.sysTime;
}

export const fieldNamed = ({ fields }: Schema, name: string): Field | undefined =>
  fields.find((field) => field.name === name) ?? fields.find(({ alias }) => alias === name);

/** The field with other columns of the same values, in rows that are no aggregated result. */
export const carriedIn = (readings: Field['readings'], { name, events }: Field): Field => ({
  name,
  readings,
  ...(events !== undefined && { events }),
});

/** A field as an expression. */
export function readingsOf(field: Field): Bound {
  const [first, ...rest] = field.readings.map(columnOf);
  if (first === undefined) throw new RangeError(`field without readings: ${field.name}`);
  return [first, ...rest];
}

/**
 * All columns of the schema, with those that identify an event and the bag of rare fields. The time
 * of arrival is read only where it is asked for.
 */
export const idsOf = (schema: Schema): readonly ColumnId[] => [
  ...schema.fields.flatMap((field) => field.readings.map((reading) => reading.id)),
  ...(schema.rowId === undefined ? [] : [schema.rowId.time, schema.rowId.seq, schema.rowId.row]),
  ...(schema.rest === undefined ? [] : [schema.rest.bag]),
];
