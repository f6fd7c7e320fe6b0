/**
 * Types of values inside a query and their one representation in ClickHouse.
 *
 * | type      | ClickHouse                       | meaning                                              |
 * |-----------|----------------------------------|------------------------------------------------------|
 * | bool      | Nullable(Bool)                   |                                                      |
 * | long      | Nullable(Int64)                  | every integer                                        |
 * | real      | Nullable(Float64)                |                                                      |
 * | string    | Nullable(String)                 | null and '' differ                                   |
 * | datetime  | Nullable(DateTime64(9, 'UTC'))   |                                                      |
 * | timespan  | Nullable(Int64)                  | nanoseconds                                          |
 * | dynamic   | Nullable(String)                 | JSON text of any value; SQL NULL is null             |
 * | array     | Nullable(String)                 | JSON text, statically known to be an array (or null) |
 * | bag       | Nullable(String)                 | JSON text, statically known to be an object (or null)|
 *
 * A field seen with several types has no single type: its column has several readings (see
 * `catalog.ts`), and an expression picks the one it needs.
 */
export type ScalarType = 'bool' | 'long' | 'real' | 'string' | 'datetime' | 'timespan' | 'dynamic' | 'array' | 'bag';

/** The ClickHouse type that represents each scalar type. */
export const clickhouseType: Readonly<Record<ScalarType, string>> = {
  bool: 'Nullable(Bool)',
  long: 'Nullable(Int64)',
  real: 'Nullable(Float64)',
  string: 'Nullable(String)',
  datetime: "Nullable(DateTime64(9, 'UTC'))",
  timespan: 'Nullable(Int64)',
  dynamic: 'Nullable(String)',
  array: 'Nullable(String)',
  bag: 'Nullable(String)',
};

export const isNumeric = (type: ScalarType): boolean => type === 'long' || type === 'real';

/** Whether values of the type are JSON text. */
export const isDynamic = (type: ScalarType): boolean => type === 'dynamic' || type === 'array' || type === 'bag';
