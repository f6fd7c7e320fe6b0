import { call, integer } from '@millrace/sql';

/** Marks around parts of a text while it is being changed: bytes that no text contains, as UTF-8 has no use for them. */
export const OPEN = call('char', integer(0xfe));
export const CLOSE = call('char', integer(0xff));
