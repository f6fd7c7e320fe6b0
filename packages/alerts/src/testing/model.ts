import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { AskedRun, SimulatedEvent } from './simulation.js';

/**
 * Reference model of monitors, as simple as possible: computes each run from all events and all
 * previous runs.
 */

interface ModelRun {
  readonly time: number;
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

const everything = '';
type GroupResult = 'bad' | 'none' | 'held' | 'fine';

/**
 * @param times scheduled times of the runs, in order
 * @param memory how long a group without data is remembered, milliseconds
 */
export function modelRuns(
  monitor: StoredMonitor,
  times: readonly number[],
  { events, asked }: { readonly events: readonly SimulatedEvent[]; readonly asked: ReadonlyMap<string, AskedRun> },
  memory: number,
): readonly ModelRun[] {
  const grouped = monitor.notifyByGroup;
  const runs = monitor.triggerFromNRuns || 1;
  const needed = monitor.triggerAfterNPositiveResults || runs;
  /**
   * Group → for each run that was no failure: `bad`, `none` for no data, `held` for a value that
   * has not recovered, or `fine`.
   */
  const found: ReadonlyMap<string, GroupResult>[] = [];
  const recovery = monitor.recoveryThreshold ?? monitor.threshold;
  const open = new Map<string, { readonly as: 'bad' | 'none'; readonly violated: number }>();
  /** When groups last had data, if missing data fires. */
  const seen = new Map<string, number>();
  return times.map((time) => {
    const end = time - monitor.secondDelay * 1000;
    const observed = asked.get(`${monitor.aplQuery} ${end}`)!;
    if (observed.failed) return { time, opened: [], closed: [] };
    const present = events.filter(
      (event) =>
        Math.max(event.arrived, event.heldUntil) <= observed.clock &&
        event.time >= end - monitor.rangeMinutes * 60_000 &&
        event.time < end,
    );
    const foundIn = (group: string): GroupResult => {
      const values = present.filter((event) => !grouped || event.group === group).map(({ value }) => value);
      const highest = Math.max(...values);
      const isBeyond = (limit: number): boolean => (monitor.operator === 'Above' ? highest > limit : highest <= limit);
      if (values.length === 0) return 'fine';
      return isBeyond(monitor.threshold) ? 'bad' : isBeyond(recovery) ? 'held' : 'fine';
    };
    const groups = grouped ? new Set(present.map(({ group }) => group)) : new Set([everything]);
    const now = new Map<string, GroupResult>([...groups].map((group) => [group, foundIn(group)]));
    if (monitor.alertOnNoData && grouped) {
      for (const group of groups) seen.set(group, time);
      for (const [group, last] of seen) if (time - last >= memory) seen.delete(group);
      for (const group of seen.keys()) if (!groups.has(group)) now.set(group, 'none');
    }
    if (present.length === 0 && monitor.alertOnNoData && now.get(everything) === 'fine') now.set(everything, 'none');
    if (present.length === 0 && monitor.alertOnNoData && now.size === 0) now.set(everything, 'none');
    found.push(now);
    const opened: string[] = [];
    const closed: string[] = [];
    for (const group of new Set([...now.keys(), ...open.keys()])) {
      const state = now.get(group) ?? 'fine';
      const before = open.get(group);
      if (state === 'fine' || state === 'held') {
        const isKept = before !== undefined && time - before.violated < (monitor.keepFiringMinutes ?? 0) * 60_000;
        if (before?.as === 'bad' && (state === 'held' || isKept)) continue;
        if (before !== undefined) closed.push(group);
        open.delete(group);
        continue;
      }
      if (before === undefined) {
        const counted = found.slice(-runs).filter((run) => ['bad', 'none'].includes(run.get(group) ?? '')).length;
        if (counted < needed) continue;
        opened.push(group);
      }
      open.set(group, { as: state, violated: time });
    }
    return { time, opened, closed };
  });
}
