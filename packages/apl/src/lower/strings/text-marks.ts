import { call, integer } from '@millrace/sql';

/** Marks around parts of a text while it is being changed: two bytes that never occur in UTF-8. */
export const OPEN = call('char', integer(0xfe));
export const CLOSE = call('char', integer(0xff));
