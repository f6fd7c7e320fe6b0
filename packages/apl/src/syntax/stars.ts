/** Escapes a name for use in a pattern, so that its stars are literal. */
export const escapeStars = (name: string): string => name.replace(/[\\*]/g, '\\$&');

/** The texts between the stars of a pattern, unescaped: `a*b\*` → `a`, `b*`. */
export function segmentsOf(pattern: string): readonly string[] {
  const segments = [''];
  for (const [part] of pattern.matchAll(/\\[\\*]|[^]/g)) {
    if (part === '*') segments.push('');
    else segments.push(segments.pop()! + (part.length > 1 ? part.slice(1) : part));
  }
  return segments;
}
