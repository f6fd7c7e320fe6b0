import type { StoredMonitor } from '../../schemas/monitor.js';
import { groupKey, type Reading, type Verdict } from '../evaluate/reading.js';
import type { Label } from '../evaluate/result-table.js';
import { aboutOf, type GroupState, type MonitorState, needed } from './state.js';

/** What a run makes of a monitor: a plain function of where it stood and what was found. */

export interface Change {
  readonly group: string;
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly action: 'Open' | 'Closed';
  /**
   * `value`: it violates, or no longer does; `gone`: the group is not in the result any more;
   * `nodata`: there is nothing to compare; `back`: there is again; `anew`: the monitor became
   * another one.
   */
  readonly why: 'value' | 'gone' | 'nodata' | 'back' | 'anew';
  /** It was open before: no change of state, but to be told. */
  readonly again: boolean;
  readonly value: number;
  readonly usual?: Reading['usual'];
  /** Of what closes: the annotation that was made when it opened. */
  readonly annotation?: string;
}

interface Step {
  readonly state: MonitorState;
  readonly changes: readonly Change[];
}

/**
 * @param mostGroups that are followed one by one; what further groups find counts for one group of
 * all of them
 */
export function step(
  before: MonitorState,
  monitor: StoredMonitor,
  verdict: Verdict,
  now: number,
  mostGroups: number,
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
          why: 'anew',
          again: false,
          value: 0,
          ...marked(annotation),
        });
    groups = {};
  }
  const { match, error: _, ...kept } = before;
  const base = {
    ...kept,
    about,
    runs: before.runs + 1,
    ...(before.about === about && match !== undefined && { match }),
  };
  if (verdict.kind === 'error') return { state: { ...base, groups, error: verdict.problem }, changes };

  const next: Record<string, GroupState> = {};
  for (const [group, reading] of readingsOf(groups, monitor, verdict, mostGroups)) {
    const result = stepGroup(groups[group], monitor, reading, now);
    if (result.change !== undefined) changes.push({ group, ...result.change });
    if (result.state.status !== 'ok' || result.state.recent.includes('1')) next[group] = result.state;
  }
  return { state: { ...base, groups: next }, changes };
}

interface GroupReading {
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly violates: boolean;
  readonly noData: boolean;
  readonly gone: boolean;
  readonly value: number;
  readonly usual?: Reading['usual'];
}

/** Every group that was found, that is known, or that stands for all: `''`. */
function readingsOf(
  known: MonitorState['groups'],
  { alertOnNoData, notifyByGroup }: StoredMonitor,
  { readings, keys, noData }: Extract<Verdict, { kind: 'read' }>,
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
    const state: GroupState = { ...about, status: wanted, recent, since: now };
    return { state, change: { ...told, action: 'Open', why, again: false } };
  }
  const state: GroupState = { ...before!, status: wanted, recent };
  // Values that violate after there were none, or the reverse, are news; the same again is told
  // only to those who want that.
  const isNews = status !== wanted;
  if (!isNews && !monitor.notifyEveryRun) return { state };
  return { state, change: { ...told, action: 'Open', why, again: true } };
}

const marked = (annotation: string | undefined) => (annotation === undefined ? {} : { annotation });
