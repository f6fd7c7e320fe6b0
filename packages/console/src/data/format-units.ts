/** Short numbers. Show the exact number next to them or in a tooltip. */

const scales = ['', 'k', 'M', 'G', 'T', 'P'];

/** `36 k`, `5.3 M`; small ones end with a space, so that a unit can follow: `12 ` and `B`. */
export function shortAmount(amount: number): string {
  const step = amount < 1000 ? 0 : Math.min(scales.length - 1, Math.floor(Math.log10(amount) / 3));
  const value = amount / 1000 ** step;
  if (step === 0)
    return `${amount > 0 && amount < 10 && !Number.isInteger(amount) ? amount.toPrecision(2) : Math.round(value)} `;
  return `${value >= 100 ? Math.round(value) : value.toPrecision(2)} ${scales[step]}`;
}

/** `3.4 GB`. */
export const bytesText = (bytes: number): string => `${shortAmount(bytes)}B`;

/**
 * A number for people: integers with all digits, others with at most six. Show the exact number in
 * a tooltip.
 */
export function roundedText(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return value.toLocaleString('en', { useGrouping: true });
  const rounded = Number(value.toPrecision(6));
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15
    ? String(Number(value.toPrecision(4)))
    : rounded.toLocaleString('en', { maximumFractionDigits: 9 });
}

/** All digits, in groups of three. */
export const countText = (count: number): string => count.toLocaleString('en');

/** `1 event`, `12,000 events`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

const lengths = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Duration in its largest whole unit: `12 s`, `3 d`. */
export function roughDuration(milliseconds: number): string {
  const found = lengths.find(([, length]) => milliseconds >= length);
  return found === undefined
    ? `${Math.max(0, Math.round(milliseconds))} ms`
    : `${Math.floor(milliseconds / found[1])} ${found[0]}`;
}

/** Minutes up to two hours, then days, hours and minutes: `90 min`, `2 h 30 min`, `1 d`. */
export function wordsOfMinutes(minutes: number): string {
  if (minutes < 120) return `${minutes} min`;
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ] as const;
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}

/** `12 s ago`; `now` below a second, also under clock skew. */
export const agoText = (then: number, now: number): string =>
  now - then < 1000 ? 'now' : `${roughDuration(now - then)} ago`;
