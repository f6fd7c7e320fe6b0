/**
 * Whether the engine treats the path of a file as a pattern. It would read other matching files or
 * none, without an error; with braces it does not even find the file of that name.
 */
export const isPattern = (path: string): boolean => /[*?{]/.test(path);

/** The error message for such a path. */
export const patternProblem = (path: string): string =>
  `${path} has * or ? or { in it, which the engine takes for a pattern; choose a path without`;
