/**
 * PostgreSQL stores no NUL in a text, and the names of fields may have one. So NUL is written as
 * two characters that stand for it, and the first of the two is written as a pair as well.
 * Different texts stay different, and their order stays the same.
 */

const mark = '\u0001';
const [nul, itself] = [`${mark}\u0001`, `${mark}\u0002`];
const pair = new RegExp(`${mark}(.)`, 'gs');
const half = /\p{Surrogate}/gu;

/**
 * A text as PostgreSQL can store it. Half a pair of surrogates is no character; every encoder makes
 * the same one of it.
 */
export const storable = (text: string): string =>
  text.replace(half, '\ufffd').replaceAll(mark, itself).replaceAll('\0', nul);

/** The text that was stored. */
export const stored = (text: string): string =>
  text.includes(mark) ? text.replace(pair, (both) => (both === nul ? '\0' : mark)) : text;
