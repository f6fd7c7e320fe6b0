/**
 * PostgreSQL stores no NUL in a text, and field names may contain one. So NUL is escaped as two
 * characters, and the first of the two is written as a pair as well. Different texts stay
 * different, and their order stays the same.
 */

const mark = '\u0001';
const [nul, itself] = [`${mark}\u0001`, `${mark}\u0002`];
const pair = new RegExp(`${mark}(.)`, 'gs');
const half = /\p{Surrogate}/gu;

/**
 * Escapes a text for PostgreSQL. A lone surrogate is no character; all are encoded as the same
 * replacement.
 */
export const escapeNul = (text: string): string =>
  text.replace(half, '\ufffd').replaceAll(mark, itself).replaceAll('\0', nul);

/** Restores the original text. */
export const unescapeNul = (text: string): string =>
  text.includes(mark) ? text.replace(pair, (both) => (both === nul ? '\0' : mark)) : text;
