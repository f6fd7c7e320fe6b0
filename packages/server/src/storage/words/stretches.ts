/** A stretch of time, nanoseconds since the epoch; both ends are included. */
export interface Stretch {
  readonly start: bigint;
  readonly end: bigint;
}

/** The same times in as few stretches as possible, in order. */
export function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: { start: bigint; end: bigint }[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)))) {
    const last = all.at(-1);
    if (last === undefined || start > last.end + 1n) all.push({ start, end });
    else if (end > last.end) last.end = end;
  }
  return all;
}
