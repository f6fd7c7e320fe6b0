/** What ends a line, and with it a `//` comment. */
export const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
