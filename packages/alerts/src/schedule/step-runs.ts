import type { StoredAcknowledgment, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Annotation } from '@millrace/api/schemas/query-resources';
import type { EvaluationResult } from '../evaluate/evaluation.js';
import { type RunWindow, windowOf } from '../evaluate/evaluate.js';
import { acknowledgedGroups } from '../routing/acknowledged-groups.js';
import type { RunRecord } from '../state/records.js';
import { type MonitorState, monitorStatus } from '../state/state.js';
import { type Change, step } from '../state/transition.js';
import { annotate } from './annotate.js';
import { type RunDependencies, runId } from './run-dependencies.js';

/** Evaluation result of a run. */
export interface EvaluatedRun {
  /** Scheduled time of the run, milliseconds since the epoch. */
  readonly time: number;
  readonly verdict: EvaluationResult;
  readonly datasets: readonly string[];
}

/** A change and the run that made it. */
export interface RunChange extends Change {
  readonly checkId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly window: RunWindow;
}

interface StepResult {
  readonly state: MonitorState;
  readonly changes: readonly RunChange[];
  /** Everything that is open after the last run; undefined if that is unknown because it failed. */
  readonly open: readonly Change[] | undefined;
  /** In the order of the runs, without notifications. */
  readonly runs: readonly RunRecord[];
  /** Groups that a user had acknowledged before the last run. */
  readonly acknowledged: ReadonlySet<string>;
  readonly annotations: readonly Annotation[];
}

/**
 * Applies evaluation results to the state of a monitor, one after the other.
 * @param maybeYield for many groups
 */
export async function stepRuns(
  monitor: StoredMonitor,
  before: MonitorState,
  evaluated: readonly EvaluatedRun[],
  deps: RunDependencies,
  maybeYield?: () => Promise<void>,
): Promise<StepResult> {
  let state = before;
  let open: readonly Change[] | undefined;
  let acknowledged: ReadonlyMap<string, StoredAcknowledgment> = new Map();
  const changes: RunChange[] = [];
  const runs: RunRecord[] = [];
  const annotations = new Map<string, Annotation>();
  const annotation = async (id: string) => annotations.get(id) ?? (await deps.annotation(id));
  for (const { time, verdict, datasets } of evaluated) {
    acknowledged = acknowledgedGroups(monitor.id, state, deps.acknowledgments);
    const stepped = step(state, monitor, verdict, time, {
      groups: deps.maxGroups,
      failures: deps.maxFailures,
      memory: (monitor.groupMemoryMinutes ?? 0) * 60_000 || deps.groupMemory,
      acknowledged: new Set(acknowledged.keys()),
    });
    ({ state, open } = stepped);
    await maybeYield?.();
    if (deps.maxAnnotations > 0) {
      const marking = { changes: stepped.changes, state, datasets, time };
      const marked = await annotate(monitor, marking, { ...deps, annotation });
      state = marked.state;
      for (const each of marked.annotations) annotations.set(each.id, each);
    }
    const window = windowOf(monitor, time);
    const checkId = runId(monitor, state.runs);
    for (const change of stepped.changes) changes.push({ ...change, checkId, time, window });
    const value = valueOf(verdict);
    runs.push({
      id: checkId,
      time,
      ...window,
      state: verdict.kind === 'error' ? 'error' : monitorStatus(state),
      ...(value !== undefined && { value }),
      ...(verdict.kind === 'error' && { error: verdict.problem }),
      notified: 0,
      milliseconds: 0,
    });
  }
  return {
    state,
    changes,
    open,
    runs,
    acknowledged: new Set(acknowledged.keys()),
    annotations: [...annotations.values()],
  };
}

function valueOf(verdict: EvaluationResult): number | undefined {
  if (verdict.kind === 'error') return undefined;
  return (verdict.readings.find(({ violates }) => violates) ?? verdict.readings[0])?.value;
}
