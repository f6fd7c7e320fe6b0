/** Numbers for people. */

/** `1234567` → `1,234,567`. */
export const counted = (count: number): string => count.toLocaleString('en-US');

/** `1 event`, `2 events`. */
export const several = (count: number, noun: string): string => `${counted(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `1500000` → `1.5 MB`. */
export function byteText(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 'B';
  for (const next of units) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return unit === 'B' ? `${bytes} B` : `${value.toFixed(1)} ${unit}`;
}

/** Milliseconds → `840 ms`, `12.3 s`, `4 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
