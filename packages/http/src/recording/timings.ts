import type { Notes } from '../serve.js';

/** Milliseconds by phase, to the microsecond; parts of a request are added up. */
export function sumTimings({ timings }: Pick<Notes, 'timings'>): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const spent of timings)
    for (const [phase, milliseconds] of Object.entries(spent())) sums[phase] = (sums[phase] ?? 0) + milliseconds;
  return Object.fromEntries(Object.entries(sums).map(([phase, sum]) => [phase, Math.round(sum * 1000) / 1000]));
}

/** Value of a `Server-Timing` header. */
export const serverTiming = (sums: Readonly<Record<string, number>>): string =>
  Object.entries(sums)
    .map(([phase, milliseconds]) => `${phase};dur=${milliseconds}`)
    .join(', ');
