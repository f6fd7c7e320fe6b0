import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { evaluate, windowOf } from '../evaluate/evaluate.js';
import type { EvaluationResult } from '../evaluate/evaluation.js';
import { compose } from '../outbox/compose.js';
import type { Notification } from '../outbox/notification.js';
import { nameWithGroup } from '../outbox/message-text.js';
import type { Label } from '../evaluate/result-table.js';
import type { Source } from '../source.js';
import { type MonitorState, newState, monitorStatus } from '../state/state.js';
import { step } from '../state/transition.js';
import { nextRun } from '../schedule/phase.js';

/**
 * Back-test: the notifications a monitor would have sent. Uses the evaluation and state transitions
 * of real runs, each over the events that had arrived by its time. Late events are missing from the
 * runs before they arrived, so the result is what runs would have seen then.
 */

export interface BackTestRun {
  readonly time: number;
  readonly start: number;
  readonly end: number;
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  readonly value?: number;
  readonly matched?: number;
  readonly min?: number;
  readonly max?: number;
  readonly error?: string;
  readonly notified: number;
}

export interface BackTestChange {
  readonly time: number;
  readonly name: string;
  readonly state: 'open' | 'closed';
  readonly keys: readonly string[];
  readonly values: readonly Label[];
}

export interface BackTest {
  readonly runs: readonly BackTestRun[];
  readonly changes: readonly BackTestChange[];
  readonly notifications: readonly Notification[];
  /**
   * Whether all runs of the requested time are included; false if there were too many, so that the
   * oldest are missing, or they took too long, so that the newest are.
   */
  readonly complete: boolean;
}

interface BackTestOptions {
  readonly source: Pick<Source, 'table'>;
  /** Events count as arrived at their time. */
  readonly ignoreArrival?: boolean;
  readonly signal: AbortSignal;
  /** For one query, milliseconds. */
  readonly timeout: number;
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly maxRuns: number;
  readonly maxGroups: number;
  /** How long a group without data is remembered by default, milliseconds. */
  readonly groupMemory: number;
  readonly explain: (error: unknown) => string;
}

/**
 * @param from first time of a run, and `to` the last that there may be; milliseconds since the
 * epoch
 */
export async function backTest(
  monitor: StoredMonitor,
  { from, to }: { readonly from: number; readonly to: number },
  {
    source,
    signal,
    timeout,
    deadline,
    maxRuns,
    maxGroups,
    groupMemory,
    explain,
    ignoreArrival = false,
  }: BackTestOptions,
): Promise<BackTest> {
  const made = { ...monitor, createdAt: new Date(from).toISOString() };
  const memory = (monitor.groupMemoryMinutes ?? 0) * 60_000 || groupMemory;
  let state: MonitorState = newState(aboutOf(monitor));
  const runs: BackTestRun[] = [];
  const changes: BackTestChange[] = [];
  const notifications: Notification[] = [];
  const interval = monitor.intervalMinutes * 60_000;
  // Of too many runs the oldest are left out.
  const leftOut = Math.max(0, Math.floor((to - from) / interval) + 1 - maxRuns);
  let time = from + leftOut * interval;
  for (; time <= to && runs.length < maxRuns && performance.now() < deadline; time = nextRun(made, time, to)) {
    const window = windowOf(monitor, time);
    const { verdict } = await evaluate(monitor, window, {
      source,
      signal,
      timeout,
      arrivedBy: ignoreArrival ? Infinity : time,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return { verdict: { kind: 'error', problem: explain(error) } satisfies EvaluationResult };
    });
    // Failures of a back-test say nothing about the runs of that time.
    const limits = { groups: maxGroups, failures: Infinity, memory };
    const result = step(state, monitor, verdict, time, limits);
    state = result.state;
    const composed = compose(result.changes, { monitor, window, time });
    notifications.push(...composed);
    const value = verdict.kind === 'error' ? undefined : (composed[0]?.value ?? verdict.readings[0]?.value);
    runs.push({
      time,
      ...window,
      state: verdict.kind === 'error' ? 'error' : monitorStatus(state),
      ...(value !== undefined && { value }),
      ...(verdict.kind === 'error' ? { error: verdict.problem } : verdict.extremes),
      notified: composed.length,
    });
    for (const change of result.changes)
      if (!change.again)
        changes.push({
          time,
          name: nameWithGroup(monitor.name, change),
          state: change.action === 'Open' ? 'open' : 'closed',
          keys: change.keys,
          values: change.labels,
        });
    // A repeated error adds no information.
    if (verdict.kind === 'error' && runs.length === 1) break;
  }
  return { runs, changes, notifications, complete: leftOut === 0 && time > to };
}
