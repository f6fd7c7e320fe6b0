import type { NamePattern } from '../syntax/ast.js';
import { segmentsOf } from '../syntax/stars.js';

/** Whether a name matches a pattern; `*` is any text, `\*` a literal asterisk. */
export function matchesPattern(pattern: NamePattern, name: string): boolean {
  if (!pattern.wildcard) return pattern.text === name;
  const segments = segmentsIn(pattern);
  const first = segments[0]!;
  const last = segments.at(-1)!;
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  // Taking each segment where it first occurs leaves the most for the others, so there is no
  // backtracking.
  let at = first.length;
  for (const segment of segments.slice(1, -1)) {
    const found = name.indexOf(segment, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  return at <= end;
}

/** A pattern is compared with all columns, and parsing it takes longer than comparing. */
function segmentsIn(pattern: NamePattern): readonly string[] {
  const segments = segmentCache.get(pattern) ?? segmentsOf(pattern.text);
  segmentCache.set(pattern, segments);
  return segments;
}

const segmentCache = new WeakMap<NamePattern, readonly string[]>();
