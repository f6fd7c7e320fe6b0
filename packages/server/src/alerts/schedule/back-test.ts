import type { StoredMonitor } from '../../schemas/monitor.js';
import { evaluate, windowOf } from '../evaluate/evaluate.js';
import type { Verdict } from '../evaluate/reading.js';
import { compose } from '../outbox/compose.js';
import type { Notification } from '../outbox/notification.js';
import { nameWithGroup } from '../outbox/wording.js';
import type { Source } from '../source.js';
import { aboutOf, type MonitorState, newState, standingOf } from '../state/state.js';
import { step } from '../state/step.js';
import { nextRun } from './phase.js';

/**
 * What a monitor would have told: the same evaluation and the same steps as its runs, each over
 * what had arrived by its time. Events that came late are not there for the runs before them, so it
 * shows what would have been seen, not what is known now.
 */

interface BackTestRun {
  readonly time: number;
  readonly start: number;
  readonly end: number;
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  readonly value?: number;
  readonly least?: number;
  readonly greatest?: number;
  readonly error?: string;
  readonly notified: number;
}

export interface BackTest {
  readonly runs: readonly BackTestRun[];
  readonly changes: readonly { readonly time: number; readonly name: string; readonly state: 'open' | 'closed' }[];
  readonly notifications: readonly Notification[];
  /**
   * Whether every run of the time asked for is there; else there were too many, or they took too
   * long.
   */
  readonly complete: boolean;
}

interface BackTestOptions {
  readonly source: Pick<Source, 'table'>;
  readonly signal: AbortSignal;
  /** For one query, milliseconds. */
  readonly timeout: number;
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly mostRuns: number;
  readonly mostGroups: number;
  readonly explain: (error: unknown) => string;
}

/**
 * @param from first time of a run, and `to` the last that there may be; milliseconds since the
 * epoch
 */
export async function backTest(
  monitor: StoredMonitor,
  { from, to }: { readonly from: number; readonly to: number },
  { source, signal, timeout, deadline, mostRuns, mostGroups, explain }: BackTestOptions,
): Promise<BackTest> {
  const made = { ...monitor, createdAt: new Date(from).toISOString() };
  let state: MonitorState = newState(aboutOf(monitor));
  const runs: BackTestRun[] = [];
  const changes: BackTest['changes'][number][] = [];
  const notifications: Notification[] = [];
  let time = from;
  for (; time <= to && runs.length < mostRuns && performance.now() < deadline; time = nextRun(made, time, to)) {
    const window = windowOf(monitor, time);
    const { verdict } = await evaluate(monitor, window, { source, signal, timeout, arrivedBy: time }).catch(
      (error: unknown) => {
        if (signal.aborted) throw error;
        return { verdict: { kind: 'error', problem: explain(error) } satisfies Verdict };
      },
    );
    const result = step(state, monitor, verdict, time, mostGroups);
    state = result.state;
    const told = compose(result.changes, { monitor, window, time }, false);
    notifications.push(...told);
    const value = verdict.kind === 'error' ? undefined : (told[0]?.value ?? verdict.readings[0]?.value);
    runs.push({
      time,
      ...window,
      state: verdict.kind === 'error' ? 'error' : standingOf(state),
      ...(value !== undefined && { value }),
      ...(verdict.kind === 'error' ? { error: verdict.problem } : verdict.extremes),
      notified: told.length,
    });
    for (const change of result.changes)
      if (!change.again)
        changes.push({
          time,
          name: nameWithGroup(monitor.name, change),
          state: change.action === 'Open' ? 'open' : 'closed',
        });
    // The same mistake at every time says no more than once.
    if (verdict.kind === 'error' && runs.length === 1) break;
  }
  return { runs, changes, notifications, complete: time > to };
}
