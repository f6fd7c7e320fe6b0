import { roundedText } from '../data/format-units.js';

/** All digits of a number. */
export const exactText = (value: number): string => String(value);

const digitsOf = (text: string): string => text.replaceAll(/[^\d.-]/g, '');

/** A number for people, and in parentheses the exact one if that says more. */
export function withExact(value: number, format: ((value: number) => string) | undefined): string {
  const text = format?.(value) ?? roundedText(value);
  const exact = exactText(value);
  return digitsOf(text) === exact ? text : `${text} (${exact})`;
}
