/** The option of commands whose output is a table in a terminal. */
export const jsonOption = { type: 'flag', doc: 'Write JSON, also in a terminal.' } as const;
