import type { ScalarType } from '../../model/types.js';

/**
 * The name of a type in a message that also has a signature or a type as the query writes it. For
 * the type of a value alone, use `typeNameOf`, as results do.
 */
export const typeLabel = (type: ScalarType | 'number' | 'any'): string =>
  type === 'bag' ? 'dynamic object' : type === 'array' ? 'dynamic array' : type;
