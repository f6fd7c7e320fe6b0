import { countText } from '../data/format-units.js';
import type { ChartRun } from './run-states.js';

/** Position of a value between bottom and top. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** 0 at the bottom, 1 at the top. */
  readonly shareOf: (value: number) => number;
  readonly valueAt: (share: number) => number;
  /** Keyboard step: a round number. */
  readonly step: number;
}

/** Fits all values and the threshold, with margins. */
export function scaleFor(values: readonly number[], threshold: number | undefined): Scale {
  const all = threshold === undefined ? values : [...values, threshold];
  let [min, max] = [Infinity, -Infinity];
  for (const each of all) {
    min = Math.min(min, each);
    max = Math.max(max, each);
  }
  if (min > max) [min, max] = [0, 1];
  const room = (max - min || Math.abs(max) || 1) * 0.12;
  const margins = [min >= 0 ? Math.max(0, min - room) : min - room, max + room] as const;
  // The labels of counts are whole numbers.
  const isWhole = all.length > 0 && all.every(Number.isInteger);
  const [low, high] = isWhole ? [Math.floor(margins[0]), Math.ceil(margins[1])] : margins;
  const length = high - low;
  return {
    low,
    high,
    shareOf: (value) => Math.min(1, Math.max(0, (value - low) / length)),
    valueAt: (share) => roundLength(low + Math.min(1, Math.max(0, share)) * length, length),
    step: 10 ** Math.floor(Math.log10(length / 20)),
  };
}

/** Rounds to the precision visible on the screen. */
function roundLength(value: number, length: number): number {
  const unit = 10 ** Math.floor(Math.log10(length / 200));
  return Number((Math.round(value / unit) * unit).toPrecision(12));
}

/** Line through the values; interrupted where a run has no value or runs are missing. */
export function valuePath(
  runs: readonly ChartRun[],
  {
    scale,
    shareOf,
    interval,
  }: { readonly scale: Scale; readonly shareOf: (time: number) => number; readonly interval: number },
): string {
  let path = '';
  let before: number | undefined;
  for (const { time, value } of runs) {
    if (value === undefined) {
      before = undefined;
      continue;
    }
    const joined = before !== undefined && time - before <= 2 * interval;
    path += `${joined ? 'L' : 'M'}${(1000 * shareOf(time)).toFixed(1)} ${(1000 * (1 - scale.shareOf(value))).toFixed(1)}`;
    before = time;
  }
  return path;
}

/** Integers with all digits, other numbers with six. */
export const numberText = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e15 ? countText(value) : String(Number(value.toPrecision(6)));
