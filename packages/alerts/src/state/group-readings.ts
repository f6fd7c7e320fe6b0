import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { type EvaluationResult, type GroupEvaluation, groupKey } from '../evaluate/evaluation.js';
import type { Label } from '../evaluate/result-table.js';
import type { GroupState, MonitorState } from './state.js';

/** What a run found about each group: those of the result, and those of the state. */

export interface GroupReading {
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  /**
   * `violates`; `holds`: an open group stays open; `fine`; `nodata`: missing data fires; `gone`:
   * the group has no data; `forgotten`: it has had none for so long that it is no longer watched.
   */
  readonly found: 'violates' | 'holds' | 'fine' | 'nodata' | 'gone' | 'forgotten';
  readonly value: number;
  readonly usual?: GroupEvaluation['expected'];
}

type Read = Extract<EvaluationResult, { kind: 'read' }>;

interface GroupLimits {
  /** Maximum groups tracked individually; violations of further groups count for one group. */
  readonly groups: number;
  /** How long a group without data is remembered, milliseconds. */
  readonly memory: number;
}

/** The whole monitor. */
const everything = '';
const otherGroups = 'other';

/** All groups in the result or in the state; `''` stands for the whole monitor. */
export function readingsOf(
  known: MonitorState['groups'],
  monitor: StoredMonitor,
  verdict: Read,
  now: number,
  limits: GroupLimits,
): ReadonlyMap<string, GroupReading> {
  const { alertOnNoData, notifyByGroup } = monitor;
  const without = verdict.noData && alertOnNoData;
  const whole = { keys: [], labels: [], value: 0 };
  if (!notifyByGroup) {
    const [reading = { labels: [], violates: false }] = verdict.readings;
    const found = without ? 'nodata' : verdict.noData ? 'gone' : foundIn(reading);
    return new Map([[everything, { ...whole, ...valueOf(reading), found }]]);
  }
  const readings = new Map(groupsWithData(known, verdict, limits.groups));
  for (const [group, state] of Object.entries(known)) {
    if (group === everything || readings.has(group)) continue;
    const { keys, labels } = state;
    readings.set(group, { keys, labels, found: missingReading(state, alertOnNoData, now, limits.memory), value: 0 });
  }
  // Each remembered group tells that its own data is missing.
  const isUnknown = ![...readings.values()].some(({ found }) => found === 'nodata');
  if ((without && isUnknown) || everything in known)
    readings.set(everything, { ...whole, found: without && isUnknown ? 'nodata' : 'fine' });
  return readings;
}

function* groupsWithData(
  known: MonitorState['groups'],
  { readings, keys }: Read,
  maxGroups: number,
): Generator<readonly [string, GroupReading]> {
  let room = maxGroups - Object.values(known).filter(isActive).length;
  let hasOthers = false;
  for (const reading of readings) {
    if (reading.value === undefined) continue;
    const { labels, violates } = reading;
    const group = groupKey(labels);
    const before = known[group];
    const isFollowed = !violates || (before !== undefined && isActive(before)) || room-- > 0;
    const found = { ...valueOf(reading), found: foundIn(reading) };
    if (isFollowed) yield [group, { keys, labels, ...found }];
    else if (before !== undefined) yield [group, { keys, labels, ...found, found: 'fine' }];
    if (!isFollowed && !hasOthers) yield [otherGroups, { keys: [], labels: ['other groups'], ...found }];
    hasOthers ||= !isFollowed;
  }
}

/** A group that is open or met the condition in a recent run; others are only remembered. */
export const isActive = ({ status, recent }: Pick<GroupState, 'status' | 'recent'>): boolean =>
  status !== 'ok' || recent.includes('1');

const foundIn = ({ violates, keepsOpen }: GroupEvaluation): 'violates' | 'holds' | 'fine' =>
  violates ? 'violates' : keepsOpen === true ? 'holds' : 'fine';

const valueOf = ({ value = 0, expected: usual }: GroupEvaluation) => ({ value, ...(usual !== undefined && { usual }) });

function missingReading(
  { seen }: GroupState,
  alertOnNoData: boolean,
  now: number,
  memory: number,
): GroupReading['found'] {
  if (!alertOnNoData || seen === undefined) return 'gone';
  return now - seen < memory ? 'nodata' : 'forgotten';
}
