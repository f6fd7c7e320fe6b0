/** Line diff of two texts. */
interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

/** Lines of context. */
const AROUND = 3;
/** Larger texts show their middle as replaced: the cost is the product of the lengths. */
const MAX_LINES = 2000;

export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return foldLines([...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)]);
}

function changes(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const removedLine = (text: string): DiffLine => ({ kind: 'removed', text });
  const addedLine = (text: string): DiffLine => ({ kind: 'added', text });
  if (a.length > MAX_LINES || b.length > MAX_LINES) return [...a.map(removedLine), ...b.map(addedLine)];
  // Longest common subsequence, from the end.
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push(removedLine(a[i++]!));
    else lines.push(addedLine(b[j++]!));
  }
  return lines;
}

/** Collapses long runs of unchanged lines. */
function foldLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: DiffLine[] = [];
  let skipped = 0;
  const flush = (): void => {
    if (skipped > 0) shown.push({ kind: 'skipped', text: `… ${skipped} lines` });
    skipped = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (near[at] === true) {
      flush();
      shown.push(line);
    } else skipped++;
  }
  flush();
  return shown;
}
