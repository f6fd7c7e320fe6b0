import type { ScalarType } from '../types.js';

/** Characters the texts of a type are written with, in lower case; types that are not listed may hold any. */
const alphabets: { readonly [T in ScalarType]?: string } = {
  bool: 'truefals',
  long: '-0123456789',
  real: '-+.0123456789einfa',
};

/** Whether the text of a value of the type can have all these characters, whatever their case: others need not be searched. */
export function canHold(type: ScalarType, characters: string): boolean {
  const alphabet = alphabets[type];
  return alphabet === undefined || [...characters.toLowerCase()].every((c) => alphabet.includes(c));
}
