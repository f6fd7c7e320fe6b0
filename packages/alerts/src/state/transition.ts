import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { groupKey, type GroupEvaluation, type EvaluationResult } from '../evaluate/evaluation.js';
import type { Label } from '../evaluate/result-table.js';
import { closing, opening, stepFailures } from './failing.js';
import { type GroupState, type MonitorState, needed } from './state.js';

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
   * `value`: it meets the condition, or no longer does; `gone`: the group is missing from the
   * result; `nodata`: there is no data; `back`: there is data again; `failing`: the last runs
   * failed; `running`: a run succeeded again; `unread`: it was open before runs began to fail;
   * `edited`: the monitor's definition changed; `silenced`: a silence of the group began.
   */
  readonly why: 'value' | 'gone' | 'nodata' | 'back' | 'failing' | 'running' | 'unread' | 'edited' | 'silenced';
  /** It was open already: repeats the notification without a state change. */
  readonly again: boolean;
  readonly value: number;
  readonly usual?: GroupEvaluation['usual'];
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
          ...marked(annotation),
        });
    if (before.failingSince !== undefined) changes.push(closing('edited'));
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
  for (const [group, reading] of readingsOf(groups, monitor, verdict, limits.groups)) {
    const result = stepGroup(groups[group], monitor, reading, now);
    if (result.change !== undefined) changes.push({ group, ...result.change });
    if (result.state.status !== 'ok') open.push({ group, ...standing(result.state, reading) });
    if (result.state.status !== 'ok' || result.state.recent.includes('1')) next[group] = result.state;
  }
  return { state: { ...base, groups: next }, changes, open };
}

interface GroupReading {
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly violates: boolean;
  readonly noData: boolean;
  readonly gone: boolean;
  readonly value: number;
  readonly usual?: GroupEvaluation['usual'];
}

/** All groups in the result or in the state; `''` stands for the whole monitor. */
function readingsOf(
  known: MonitorState['groups'],
  { alertOnNoData, notifyByGroup }: StoredMonitor,
  { readings, keys, noData }: Extract<EvaluationResult, { kind: 'read' }>,
  mostGroups: number,
): ReadonlyMap<string, GroupReading> {
  const found = new Map<string, GroupReading>();
  const without = noData && alertOnNoData;
  if (!notifyByGroup) {
    const [reading] = readings;
    const { violates = false, value = 0, usual } = reading ?? {};
    return found.set('', {
      keys: [],
      labels: [],
      violates,
      noData: without,
      gone: false,
      value,
      ...(usual !== undefined && { usual }),
    });
  }
  let room = mostGroups - Object.keys(known).length;
  for (const { labels, violates, value = 0, usual } of readings) {
    const key = groupKey(labels);
    const isFollowed = key in known || !violates || room-- > 0;
    const group = isFollowed ? key : otherGroups;
    if (!isFollowed && found.has(group)) continue;
    found.set(group, {
      keys: isFollowed ? keys : [],
      labels: isFollowed ? labels : ['other groups'],
      violates,
      noData: false,
      gone: false,
      value,
      ...(usual !== undefined && { usual }),
    });
  }
  for (const [group, { keys, labels }] of Object.entries(known))
    if (!found.has(group)) found.set(group, { keys, labels, violates: false, noData: false, gone: true, value: 0 });
  if (without || '' in known)
    found.set('', { keys: [], labels: [], violates: false, noData: without, gone: false, value: 0 });
  return found;
}

const otherGroups = 'other';

function stepGroup(
  before: GroupState | undefined,
  monitor: StoredMonitor,
  { keys, labels, violates, noData, gone, value, usual }: GroupReading,
  now: number,
): { readonly state: GroupState; readonly change?: Omit<Change, 'group'> } {
  const { positive, of } = needed(monitor);
  const counts = violates || noData;
  const recent = `${before?.recent ?? ''}${counts ? '1' : '0'}`.slice(-of);
  const status = before?.status ?? 'ok';
  const about = { keys, labels };
  const told = { ...about, value, ...(usual !== undefined && { usual }) };
  if (!counts) {
    const state: GroupState = { ...about, status: 'ok', recent };
    if (status === 'ok') return { state };
    const why = status === 'nodata' ? 'back' : gone ? 'gone' : 'value';
    return { state, change: { ...told, action: 'Closed', why, again: false, ...marked(before?.annotation) } };
  }
  const wanted = noData ? 'nodata' : 'open';
  const why = noData ? 'nodata' : 'value';
  if (status === 'ok') {
    const enough = recent.split('1').length - 1 >= positive;
    if (!enough) return { state: { ...about, status, recent } };
    const state: GroupState = { ...about, status: wanted, recent, since: now, value };
    return { state, change: { ...told, action: 'Open', why, again: false } };
  }
  const state: GroupState = { ...before!, status: wanted, recent, value };
  // A switch between violating values and no data is news; repeats are sent only with
  // `notifyEveryRun`.
  const isNews = status !== wanted;
  if (!isNews && !monitor.notifyEveryRun) return { state };
  return { state, change: { ...told, action: 'Open', why, again: true } };
}

/** An open group as a change, for receivers that have not been notified of it. */
const standing = ({ status }: GroupState, { keys, labels, value, usual }: GroupReading): Omit<Change, 'group'> => ({
  keys,
  labels,
  action: 'Open',
  why: status === 'nodata' ? 'nodata' : 'value',
  again: true,
  value,
  ...(usual !== undefined && { usual }),
});

/** Everything open while the monitor cannot run: its groups as they were, and the failure. */
function openWithoutData(state: MonitorState): readonly Change[] {
  const groups = Object.entries(state.groups).flatMap(([group, { keys, labels, status, value = 0 }]): Change[] =>
    status === 'ok' ? [] : [{ group, keys, labels, action: 'Open', why: 'unread', again: true, value }],
  );
  return [...groups, opening(state)];
}

const marked = (annotation: string | undefined) => (annotation === undefined ? {} : { annotation });
