/**
 * Field types and the names of their physical columns.
 *
 * A field is what a client sees (`geo.city`). Its values are in one physical column per type, named
 * `<field>#<t>`. The mark is the LAST `#` of the name, so field names may contain `#`. Columns of
 * the storage engine (`_time`, `_sysTime`, `_seq`, `_row`, `_overflow`) have no `#`; no event can
 * name one of them, because every name of an event gets a mark.
 */

export type FieldType = 'integer' | 'float' | 'string' | 'boolean' | 'datetime' | 'array' | 'map';

interface Storage {
  /** The letter after `#`. */
  readonly mark: string;
  /** The ClickHouse type of the physical column. */
  readonly type: string;
}

/** The only table of field types: everything about storing them derives from it. */
export const FIELD_STORAGE: Readonly<Record<FieldType, Storage>> = {
  integer: { mark: 'i', type: 'Nullable(Int64)' },
  string: { mark: 's', type: 'Nullable(String)' },
  boolean: { mark: 'b', type: 'Nullable(Bool)' },
  datetime: { mark: 't', type: "Nullable(DateTime64(9,'UTC'))" },
  float: { mark: 'f', type: 'Nullable(Float64)' },
  map: { mark: 'm', type: 'Nullable(String)' },
  array: { mark: 'j', type: 'Nullable(String)' },
};

export const FIELD_TYPES = Object.keys(FIELD_STORAGE) as readonly FieldType[];

/** Makes one value for each type. */
export const ofEachType = <Value>(make: () => Value): Readonly<Record<FieldType, Value>> => ({
  integer: make(),
  string: make(),
  boolean: make(),
  datetime: make(),
  float: make(),
  map: make(),
  array: make(),
});

/** Types as the core numbers them: bits for the types that a schema allows. */
export const TYPE_BIT: Readonly<Record<FieldType, number>> = {
  integer: 1,
  float: 2,
  string: 4,
  boolean: 8,
  datetime: 16,
  array: 32,
  map: 64,
};
export const ALL_TYPES = 127;

const TYPE_OF_BIT: ReadonlyMap<number, FieldType> = new Map(FIELD_TYPES.map((type) => [TYPE_BIT[type], type]));

/** The type with this bit. */
export function typeOfBit(bit: number): FieldType {
  const type = TYPE_OF_BIT.get(bit);
  if (type === undefined) throw new TypeError(`no type has the bit ${bit}`);
  return type;
}

/** The type of a string column with few distinct values in a large batch. */
export const DICTIONARY_STRING = 'LowCardinality(Nullable(String))';

export const TIME_COLUMN = '_time';
export const TIME_TYPE = "DateTime64(9,'UTC')";
export const OVERFLOW_COLUMN = '_overflow';
export const OVERFLOW_TYPE = 'Map(String, String)';

const TYPE_OF_MARK: ReadonlyMap<string, FieldType> = new Map(
  FIELD_TYPES.map((type) => [FIELD_STORAGE[type].mark, type]),
);

/** `s` → `string`; undefined for any other text. */
export const typeOfMark = (mark: string): FieldType | undefined => TYPE_OF_MARK.get(mark);

/** `('geo.city', 'string')` → `geo.city#s`. */
export function physicalName(field: string, type: FieldType): string {
  return `${field}#${FIELD_STORAGE[type].mark}`;
}

/**
 * `geo.city#s` → `{field: 'geo.city', type: 'string'}`; undefined for a system column or a foreign
 * name.
 */
export function parsePhysicalName(name: string): { readonly field: string; readonly type: FieldType } | undefined {
  const at = name.lastIndexOf('#');
  if (at < 0) return undefined;
  const type = typeOfMark(name.slice(at + 1));
  return type === undefined ? undefined : { field: name.slice(0, at), type };
}

/**
 * Names of system fields; a field of an event with such a name is renamed. `_time` is not among
 * them: events supply it.
 */
const RESERVED = ['_blockInfo', '_cursor', '_rowID', '_rowId', '_source', '_sysTime'] as const;

/**
 * The name under which an event's field is stored: `_sysTime` → `_user_sysTime`, everything else as
 * it is. `_sysTime.x` is renamed with its parent, so that `{"_sysTime":{"x":1}}` and
 * `{"_sysTime.x":1}` stay one field.
 */
export function storedName(name: string): string {
  if (name.charCodeAt(0) !== 0x5f) return name;
  for (const reserved of RESERVED) {
    if (name === reserved || name.startsWith(`${reserved}.`)) return `_user${name}`;
  }
  return name;
}
