import type { ScalarType } from '../types.js';

/** The name of a type next to a signature or a type written in the query. For the type of a value alone, `typeNameOf` gives the name used in answers. */
export const typeLabel = (type: ScalarType | 'number' | 'any'): string =>
  type === 'bag' ? 'dynamic object' : type === 'array' ? 'dynamic array' : type;
