/**
 * Rank of a label for the typed text, lower is better; undefined if it does not match. From best to
 * worst: the label begins with the text (same case, then any case), has a part that begins with it
 * (`utc` in `hour_utc`), contains it, or has its letters in order (`dcif` in `dcountif`),
 * preferably with the same first letter.
 */
export function rank(typed: string, label: string): number | undefined {
  if (label.startsWith(typed)) return 0;
  const wanted = typed.toLowerCase();
  const lower = label.toLowerCase();
  if (lower.startsWith(wanted)) return 1;
  const found = lower.indexOf(wanted);
  if (found > 0 && !/[a-z0-9]/.test(lower[found - 1]!)) return 2;
  if (found > 0) return 3;
  let at = 0;
  for (const letter of lower) if (letter === wanted[at]) at++;
  if (at < wanted.length) return undefined;
  return lower[0] === wanted[0] ? 4 : 5;
}
