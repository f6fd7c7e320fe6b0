import type { ScalarType } from '../types.js';

export const isNumeric = (type: ScalarType): boolean => type === 'long' || type === 'real';

/** The one type that values of these types share: themselves if equal, real for numbers, dynamic otherwise. */
export function commonType(types: readonly ScalarType[]): ScalarType {
  const [first, ...rest] = types;
  if (first === undefined) return 'dynamic';
  if (rest.every((type) => type === first)) return first;
  return types.every(isNumeric) ? 'real' : 'dynamic';
}

/** How a type is called beside a signature or a type that the query wrote. What a value is by itself, `typeNameOf` says as answers do. */
export const typeLabel = (type: ScalarType | 'number' | 'any'): string =>
  type === 'bag' ? 'dynamic object' : type === 'array' ? 'dynamic array' : type;
