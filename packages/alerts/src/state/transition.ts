import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import type { GroupEvaluation, EvaluationResult } from '../evaluate/evaluation.js';
import type { Label } from '../evaluate/result-table.js';
import { closeChange, opening, stepFailures } from './monitor-failure.js';
import { isActive, readingsOf } from './group-readings.js';
import { openChange, stepGroup } from './group-step.js';
import type { GroupState, MonitorState } from './state.js';

/**
 * Computes the state transition of a run: a pure function of the previous state and the evaluation
 * result.
 */

export interface Change {
  readonly group: string;
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly action: 'Open' | 'Closed';
  /**
   * `value`: it meets the condition, or no longer does; `held`: it no longer does and has not
   * resolved; `gone`: it has no data any more; `nodata`: missing data fires; `back`: there is data
   * again; `forgotten`: it had no data for so long that it is not watched any more; `failing`: the
   * last runs failed; `running`: a run succeeded again; `unread`: it was open before runs began to
   * fail; `edited`: the monitor's definition changed; `silenced`: a silence of the group began.
   */
  readonly why:
    | 'value'
    | 'held'
    | 'gone'
    | 'nodata'
    | 'back'
    | 'forgotten'
    | 'failing'
    | 'running'
    | 'unread'
    | 'edited'
    | 'silenced';
  /** It was open already: repeats the notification without a state change. */
  readonly again: boolean;
  readonly value: number;
  readonly usual?: GroupEvaluation['expected'];
  /** For `failing`: how many runs failed, and why the last one did. */
  readonly failure?: { readonly runs: number; readonly problem: string };
  /** For closings: the annotation created at the opening. */
  readonly annotation?: string;
}

interface Step {
  readonly state: MonitorState;
  readonly changes: readonly Change[];
  /** Everything that is open now; undefined if that is unknown because the run failed. */
  readonly open: readonly Change[] | undefined;
}

interface Limits {
  /** Maximum groups tracked individually; violations of further groups count for one group. */
  readonly groups: number;
  /** Failed runs in a row after which a monitor is failing. */
  readonly failures: number;
  /** How long a group without data is remembered, milliseconds. */
  readonly memory: number;
  /** Open groups that users have acknowledged. */
  readonly acknowledged?: ReadonlySet<string>;
}

export function step(
  before: MonitorState,
  monitor: StoredMonitor,
  verdict: EvaluationResult,
  now: number,
  limits: Limits,
): Step {
  const about = aboutOf(monitor);
  const changes: Change[] = [];
  let groups = before.groups;
  if (before.about !== about) {
    for (const [group, { keys, labels, status, annotation }] of Object.entries(groups))
      if (status !== 'ok')
        changes.push({
          group,
          keys,
          labels,
          action: 'Closed',
          why: 'edited',
          again: false,
          value: 0,
          ...annotationMember(annotation),
        });
    if (before.failingSince !== undefined) changes.push(closeChange('edited'));
    groups = {};
  }
  const { match, error: _, failures: __, failingSince: ___, ...kept } = before;
  const problem = verdict.kind === 'error' ? verdict.problem : undefined;
  const failed = stepFailures(before.about === about ? before : {}, problem, now, limits.failures);
  if (failed.change !== undefined) changes.push(failed.change);
  const base = {
    ...kept,
    about,
    runs: before.runs + 1,
    ...failed.state,
    ...(before.about === about && match !== undefined && { match }),
  };
  if (verdict.kind === 'error') {
    const state = { ...base, groups };
    return { state, changes, open: state.failingSince === undefined ? undefined : openWithoutData(state) };
  }

  const next: Record<string, GroupState> = {};
  const open: Change[] = [];
  let remembered = 0;
  for (const [group, reading] of readingsOf(groups, monitor, verdict, now, limits)) {
    const result = stepGroup(groups[group], monitor, reading, {
      now,
      isAcknowledged: limits.acknowledged?.has(group) === true,
    });
    if (result.change !== undefined) changes.push({ group, ...result.change });
    if (result.state.status !== 'ok') open.push({ group, ...openChange(result.state, reading) });
    if (isActive(result.state)) next[group] = result.state;
    else if (isRemembered(result.state, now, limits) && remembered++ < limits.groups) next[group] = result.state;
  }
  return { state: { ...base, groups: next }, changes, open };
}

const isRemembered = ({ seen }: GroupState, now: number, { memory }: Limits): boolean =>
  seen !== undefined && now - seen < memory;

/** Everything open while the monitor cannot run: its groups as they were, and the failure. */
function openWithoutData(state: MonitorState): readonly Change[] {
  const groups = Object.entries(state.groups).flatMap(([group, { keys, labels, status, value = 0 }]): Change[] =>
    status === 'ok' ? [] : [{ group, keys, labels, action: 'Open', why: 'unread', again: true, value }],
  );
  return [...groups, opening(state)];
}

const annotationMember = (annotation: string | undefined) => (annotation === undefined ? {} : { annotation });
