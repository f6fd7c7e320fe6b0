import type { ScalarType } from '../types.js';

export const isNumeric = (type: ScalarType): boolean => type === 'long' || type === 'real';

/** The one type that values of these types share: themselves if equal, real for numbers, dynamic otherwise. */
export function commonType(types: readonly ScalarType[]): ScalarType {
  const [first, ...rest] = types;
  if (first === undefined) return 'dynamic';
  if (rest.every((type) => type === first)) return first;
  return types.every(isNumeric) ? 'real' : 'dynamic';
}

/** The name of a type next to a signature or a type written in the query. For the type of a value alone, `typeNameOf` gives the name used in answers. */
export const typeLabel = (type: ScalarType | 'number' | 'any'): string =>
  type === 'bag' ? 'dynamic object' : type === 'array' ? 'dynamic array' : type;
