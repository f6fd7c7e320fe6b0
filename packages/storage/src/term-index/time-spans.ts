/** A time span, nanoseconds since the epoch; both ends are included. */
export interface TimeSpan {
  readonly start: bigint;
  readonly end: bigint;
}

/** All times that 64 bits can express. */
export const wholeTime: TimeSpan = { start: -(2n ** 63n), end: 2n ** 63n - 1n };

/** Merges overlapping and adjacent time spans, in order. */
export function mergeSpans(stretches: readonly TimeSpan[]): readonly TimeSpan[] {
  const all: { start: bigint; end: bigint }[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)))) {
    const last = all.at(-1);
    if (last === undefined || start > last.end + 1n) all.push({ start, end });
    else if (end > last.end) last.end = end;
  }
  return all;
}
