/**
 * How well a label goes with what is typed, the less the better; undefined if it does not. It may begin with it (with the case as typed,
 * then with any), have a part that begins with it (`_utc` in `hour_utc`), or hold its letters in order (`dcif` in `dcountif`).
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
