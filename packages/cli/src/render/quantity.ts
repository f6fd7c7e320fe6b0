/** Human-readable numbers. */

/** `1234567` → `1,234,567`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** `1 event`, `2 events`. */
export const pluralize = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Milliseconds → `840 ms`, `12.3 s`, `4 min 5 s`. The unit depends on the rounded value: 59.96 s
 * becomes 1 min.
 */
export function durationText(milliseconds: number): string {
  if (Math.round(milliseconds) < 1000) return `${Math.round(milliseconds)} ms`;
  const tenths = (milliseconds / 1000).toFixed(1);
  if (Number(tenths) < 60) return `${tenths} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
