import type { ScalarType } from '../../model/types.js';

/**
 * The characters that the text of a value can have, by type and in lower case; types that are not
 * listed may have any.
 */
const alphabets: { readonly [T in ScalarType]?: string } = {
  bool: 'truefals',
  long: '-0123456789',
  real: '-+.0123456789einfa',
};

/**
 * Whether the text of a value of the type can have all these characters, in any case. If not, it
 * need not be searched.
 */
export function canHold(type: ScalarType, characters: string): boolean {
  const alphabet = alphabets[type];
  return alphabet === undefined || [...characters.toLowerCase()].every((c) => alphabet.includes(c));
}
