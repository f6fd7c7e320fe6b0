/**
 * Ends a line, and with it a string that is not closed. Line numbers count these, as in editors.
 */
export const NEW_LINE = /\r\n|[\n\r]/;

/**
 * Ends a `//` comment. It includes separators that are no new lines, because text pasted from
 * elsewhere may have them between its lines.
 */
export const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
