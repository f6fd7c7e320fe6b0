import { RE2JS } from 're2js';

/** Regular expressions of users: RE2, which takes linear time, and must match whole values. */

const longest = 10_000;

/** @returns undefined for an invalid or very long pattern */
export function compileRegex(pattern: string): RE2JS | undefined {
  if (pattern.length > longest) return undefined;
  try {
    return RE2JS.compile(`^(?s:${pattern})$`);
  } catch {
    return undefined;
  }
}

/** Whether it matches the whole text. */
export const matchesWhole = (pattern: string, text: string): boolean =>
  compileRegex(pattern)?.matcher(text).matches() === true;
