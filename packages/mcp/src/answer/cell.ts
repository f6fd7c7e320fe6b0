/** Values as an agent reads them: short, and unable to hide or forge text. */

/** Controls, zero-width, bidirectional and tag characters: text that a person does not see. */
const hiddenCharacters = /[\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Text with invisible characters as escapes. */
export const escapeInvisible = (text: string): string =>
  text.replaceAll(hiddenCharacters, (letter) => escapes[letter] ?? `\\u{${letter.codePointAt(0)!.toString(16)}}`);

/** Text of at most so many characters; the rest is counted. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max)}…[+${text.length - max}]`;

/** Digits of a number with a fraction: more help no decision. */
const significant = 5;

/** A fraction with the digits that matter; integers keep all of theirs. */
export const roundNumber = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(significant)));

/**
 * A cell from its JSON text. Times have milliseconds, and null is empty.
 * @param type as responses name it
 */
export function cellText(json: string, type: string, max: number): string {
  if (json === 'null' || json === '') return '';
  if (json.startsWith('"')) {
    const text = JSON.parse(json) as string;
    return type === 'datetime' ? shortTime(text) : cut(escapeInvisible(text), max);
  }
  // Integers beyond 53 bits keep their digits.
  if (/^-?\d+$/.test(json)) return json;
  if (/^-?\d/.test(json)) return roundNumber(Number(json));
  return cut(escapeInvisible(json), max);
}

/** RFC 3339 with at most milliseconds. */
export const shortTime = (text: string): string => text.replace(/(\.\d{3})\d+/, '$1').replace(/\.0+(?=Z|[+-]|$)/, '');
