/** Numbers for people. */

/** `1234567` → `1,234,567`. */
export const counted = (count: number): string => count.toLocaleString('en-US');

/** `1 event`, `2 events`. */
export const several = (count: number, noun: string): string => `${counted(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Milliseconds → `840 ms`, `12.3 s`, `4 min 5 s`. The unit follows from what is written: 59.96 s
 * would be written as 60.0 s.
 */
export function durationText(milliseconds: number): string {
  if (Math.round(milliseconds) < 1000) return `${Math.round(milliseconds)} ms`;
  const tenths = (milliseconds / 1000).toFixed(1);
  if (Number(tenths) < 60) return `${tenths} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
