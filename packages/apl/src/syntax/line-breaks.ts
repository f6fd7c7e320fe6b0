/** What ends a line of the text and with it a string that is not closed; lines are counted by it, as editors do. */
export const NEW_LINE = /\r\n|[\n\r]/;

/** What ends a `//` comment: wider than a new line, as a text pasted from elsewhere may be separated by it. */
export const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
