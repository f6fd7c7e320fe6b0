/** Closest candidate to a mistyped word; undefined when none is similar. */
function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let min = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = word !== '' && candidate.startsWith(word) ? 1 : editDistance(word, candidate);
    if (distance < min) [best, min] = [candidate, distance];
  }
  return best;
}

/** `; did you mean x?`, or an empty string. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/** Edits between two words: insert, delete, replace or swap adjacent letters. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let min = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) min = Math.min(min, before[j - 2]! + 1);
      next.push(min);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
