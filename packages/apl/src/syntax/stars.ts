/** A name as a part of a pattern, in which a star stands for itself. */
export const escapeStars = (name: string): string => name.replace(/[\\*]/g, '\\$&');

/** What stands between the stars of a pattern, unescaped: `a*b\*` → `a`, `b*`. */
export function segmentsOf(pattern: string): readonly string[] {
  const segments = [''];
  for (const [part] of pattern.matchAll(/\\[\\*]|[^]/g)) {
    if (part === '*') segments.push('');
    else segments.push(segments.pop()! + (part.length > 1 ? part.slice(1) : part));
  }
  return segments;
}
