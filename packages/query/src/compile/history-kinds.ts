/**
 * The kinds of queries in the history: `apl` is for queries in the language, the others are for
 * structured ones.
 */
export const structuredKinds = ['analytics', 'stream'] as const;
export const historyKinds = ['apl', ...structuredKinds] as const;
