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

/** @param times scheduled times of the runs, in order */
export function modelRuns(
  monitor: StoredMonitor,
  times: readonly number[],
  { events, asked }: { readonly events: readonly SimulatedEvent[]; readonly asked: ReadonlyMap<string, AskedRun> },
): readonly ModelRun[] {
  const grouped = monitor.notifyByGroup;
  const runs = monitor.triggerFromNRuns || 1;
  const needed = monitor.triggerAfterNPositiveResults || runs;
  /** Group → for each run that was no failure: `bad`, `none` for no data, or `fine`. */
  const found: ReadonlyMap<string, 'bad' | 'none' | 'fine'>[] = [];
  const open = new Map<string, 'bad' | 'none'>();
  return times.map((time) => {
    const end = time - monitor.secondDelay * 1000;
    const told = asked.get(`${monitor.aplQuery.split(' ')[0]} ${end}`)!;
    if (told.failed) return { time, opened: [], closed: [] };
    const seen = events.filter(
      (event) =>
        Math.max(event.arrived, event.heldUntil) <= told.clock &&
        event.time >= end - monitor.rangeMinutes * 60_000 &&
        event.time < end,
    );
    const isBad = (group: string): boolean => {
      const values = seen.filter((event) => !grouped || event.group === group).map(({ value }) => value);
      const highest = Math.max(...values);
      if (values.length === 0) return false;
      return monitor.operator === 'Above' ? highest > monitor.threshold : highest <= monitor.threshold;
    };
    const groups = grouped ? new Set(seen.map(({ group }) => group)) : new Set([everything]);
    const now = new Map(
      [...groups].map((group) => [group, isBad(group) ? 'bad' : 'fine'] as const) as [
        string,
        'bad' | 'none' | 'fine',
      ][],
    );
    if (seen.length === 0 && monitor.alertOnNoData) now.set(everything, 'none');
    found.push(now);
    const opened: string[] = [];
    const closed: string[] = [];
    for (const group of new Set([...now.keys(), ...open.keys()])) {
      const state = now.get(group) ?? 'fine';
      const before = open.get(group);
      if (state === 'fine') {
        if (before !== undefined) closed.push(group);
        open.delete(group);
        continue;
      }
      if (before === undefined) {
        const counted = found.slice(-runs).filter((run) => (run.get(group) ?? 'fine') !== 'fine').length;
        if (counted < needed) continue;
        opened.push(group);
      }
      open.set(group, state);
    }
    return { time, opened, closed };
  });
}
