import { roundNumber } from '../answer/cell.js';

const units = [
  { size: 1e9, unit: 's' },
  { size: 1e6, unit: 'ms' },
  { size: 1e3, unit: 'µs' },
] as const;

/** A duration with three digits and its unit. */
export function durationText(nanoseconds: number): string {
  const found = units.find(({ size }) => Math.abs(nanoseconds) >= size);
  if (found === undefined) return `${roundNumber(nanoseconds)}ns`;
  return `${Number((nanoseconds / found.size).toPrecision(3))}${found.unit}`;
}
