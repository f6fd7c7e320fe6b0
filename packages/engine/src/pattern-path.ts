/**
 * Whether the engine takes the path of a file for a pattern. It would read the files that match,
 * which are others or none, without an error; with braces it finds not even the file of that name.
 */
export const isPattern = (path: string): boolean => /[*?{]/.test(path);

/** What is wrong with such a path. */
export const patternProblem = (path: string): string =>
  `${path} has * or ? or { in it, which the engine takes for a pattern; choose a path without`;
