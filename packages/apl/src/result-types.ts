import { resultTypeName } from './types.js';
import type { ScalarType } from './types.js';

/** The order in which the types of a mixed field are listed. */
const order: readonly string[] = [
  'unknown',
  'integer',
  'string',
  'boolean',
  'datetime',
  'float',
  'timespan',
  'map',
  'array',
];

/** The types of a column as results name them, such as `integer|string`. */
export const typeNameOf = (types: readonly ScalarType[]): string =>
  [...new Set(types.map((type) => resultTypeName[type]))]
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .join('|');
