/**
 * Ends a line, and with it a string that is not closed. Line numbers count these, as in editors.
 */
export const NEW_LINE = /\r\n|[\n\r]/;

/**
 * Ends a `//` comment. Includes separators that are not new lines, because pasted text may have
 * them between its lines.
 */
export const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
