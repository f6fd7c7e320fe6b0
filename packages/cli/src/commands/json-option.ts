/** For commands that print a table in a terminal. */
export const jsonOption = { type: 'flag', doc: 'Output JSON.' } as const;
