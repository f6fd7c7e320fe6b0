import type { ScalarType } from './types.js';

/**
 * Type names in results, as the HTTP interface spells them, in the order in which those of a mixed
 * field are listed.
 */
const names: Readonly<Record<ScalarType, string>> = {
  dynamic: 'unknown',
  long: 'integer',
  string: 'string',
  bool: 'boolean',
  datetime: 'datetime',
  real: 'float',
  timespan: 'timespan',
  bag: 'map',
  array: 'array',
};
const order = Object.values(names);

/** The types of a column as results name them, such as `integer|string`. */
export const typeNameOf = (types: readonly ScalarType[]): string =>
  [...new Set(types.map((type) => names[type]))].toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).join('|');
