import { consume } from '../../model/compile-budget.js';

/**
 * The candidate nearest to `written`, for "did you mean"; undefined when none is near. Case is
 * ignored, two swapped letters count as a single edit, and longer words may differ more.
 */
export function findNearest(written: string, candidates: Iterable<string>): string | undefined {
  const word = written.toLowerCase();
  const allowed = word.length <= 3 ? 1 : word.length <= 6 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    consume(word.length / 100);
    const edits = distance(word, candidate.toLowerCase());
    // Among equally near candidates, prefers one with the same first letter, which is usually
    // right.
    const found = edits + (candidate[0]?.toLowerCase() === word[0] ? 0 : 0.5);
    // A candidate that keeps at most one letter does not resemble the word.
    if (found < bestDistance && edits < Math.max(candidate.length, word.length) - 1)
      [best, bestDistance] = [candidate, found];
  }
  return best;
}

/** The number of edits from `a` to `b`: insert, delete, replace or swap neighbors. */
function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      current.push(cost);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length]!;
}
