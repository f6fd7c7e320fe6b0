import type { RareFields, Rest } from '../model/catalog.js';
import type { ScalarType } from '../model/types.js';
import { columnOf } from './scalar.js';
import type { Bound, ColumnId } from './scalar.js';

/**
 * The meaning of a column in an aggregated result; set by `summarize`, retained while the column is
 * passed on.
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

/** A column visible to a query. Several type variants make it a mixed one. */
export interface Field {
  readonly name: string;
  readonly readings: readonly { readonly type: ScalarType; readonly id: ColumnId }[];
  readonly role?: Role;
  /**
   * Set if it is the value that events have under this name; equal for all fields of the same
   * events, including values in a map field (`names/in-maps.ts`).
   */
  readonly events?: ColumnId;
  /**
   * Name of the column in other systems; it also finds the column, unless another column has the
   * name.
   */
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
 * All rare fields that the query does not name; carried along, invisible, while the result consists
 * of complete events.
 */
export interface RestColumns {
  readonly bag: ColumnId;
  readonly text: ColumnId;
  readonly names: RestNames;
  /**
   * The role of each of them; for an aggregate, its fields do not include the last, which is the
   * field itself.
   */
  readonly role?: Role;
}

/** The names of the rare fields that may be among the rest; there may be a hundred thousand. */
export interface RestNames extends Pick<RareFields, 'has' | 'names' | 'beneath'>, Pick<Rest, 'renamed' | 'members'> {}

export interface Schema {
  readonly fields: readonly Field[];
  readonly rowId?: RowId;
  readonly rest?: RestColumns;
}

/** The schema of rows that are not complete events. */
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
 * The ingest time, if no field has it: the query dropped the field, or defined another one of that
 * name.
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

/** The field with other columns of the same values, in rows that are not an aggregated result. */
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
 * All columns of the schema, including event identity and the bag of rare fields. The ingest time
 * is read only on request.
 */
export const idsOf = (schema: Schema): readonly ColumnId[] => [
  ...schema.fields.flatMap((field) => field.readings.map((reading) => reading.id)),
  ...(schema.rowId === undefined ? [] : [schema.rowId.time, schema.rowId.seq, schema.rowId.row]),
  ...(schema.rest === undefined ? [] : [schema.rest.bag]),
];
