/** State of a monitor after a run; `off` while muted, `none` without a run. */
export type RunState = 'ok' | 'open' | 'nodata' | 'error' | 'off' | 'none';

/** A run in charts. */
export interface ChartRun {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly state: RunState;
  readonly value?: number | undefined;
  readonly problem?: string | undefined;
}

export const stateWords: Readonly<Record<RunState, string>> = {
  ok: 'OK',
  open: 'firing',
  nodata: 'no data',
  error: 'query failed',
  off: 'muted',
  none: 'no run',
};

/** A time span in one state; fractions of the whole, 0 to 1. */
export interface Stretch {
  readonly state: RunState;
  readonly from: number;
  readonly to: number;
}

/** Time spans between runs. Missing runs of more than two intervals give state `none`. */
export function stretchesOf(
  runs: readonly ChartRun[],
  { start, end, interval }: { readonly start: number; readonly end: number; readonly interval: number },
): readonly Stretch[] {
  const length = Math.max(1, end - start);
  const share = (time: number): number => Math.min(1, Math.max(0, (time - start) / length));
  const found: Stretch[] = [];
  const add = (state: RunState, from: number, to: number): void => {
    const last = found.at(-1);
    if (last?.state === state) found[found.length - 1] = { ...last, to: share(to) };
    else if (share(to) > share(from)) found.push({ state, from: share(from), to: share(to) });
  };
  for (const [index, { time, state }] of runs.entries()) {
    const next = runs[index + 1]?.time ?? end;
    const upTo = next - time > 2 * interval ? time + interval : next;
    add(state, time, upTo);
    if (upTo < next) add('none', upTo, next);
  }
  return found;
}
