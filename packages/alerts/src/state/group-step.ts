import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { GroupReading } from './group-readings.js';
import { hasPassed } from './has-passed.js';
import { type GroupState, countNeeded } from './state.js';
import type { Change } from './transition.js';

/** State transition of one group in a run. */

interface GroupStep {
  readonly state: GroupState;
  readonly change?: Omit<Change, 'group'>;
}

interface RunTime {
  readonly now: number;
  /** A user has acknowledged the group: it is not notified again. */
  readonly isAcknowledged: boolean;
}

export function stepGroup(
  before: GroupState | undefined,
  monitor: StoredMonitor,
  reading: GroupReading,
  { now, isAcknowledged }: RunTime,
): GroupStep {
  const { found, value } = reading;
  const { positive, of } = countNeeded(monitor);
  const counts = found === 'violates' || found === 'nodata';
  const status = before?.status ?? 'ok';
  const state: GroupState = {
    keys: reading.keys,
    labels: reading.labels,
    status,
    recent: `${before?.recent ?? ''}${counts ? '1' : '0'}`.slice(-of),
    ...seenIn(before, monitor, reading, now),
  };
  if (!counts) {
    const down = stepDown(before, { ...state, status: 'ok' }, monitor, reading, now);
    return down.state.status === 'ok' || isAcknowledged ? down : repeatOpen(down.state, 'held', monitor, reading, now);
  }
  const wanted = found === 'nodata' ? 'nodata' : 'open';
  const report = { ...reportOf(reading), action: 'Open', why: found === 'nodata' ? 'nodata' : 'value' } as const;
  const open = {
    ...state,
    status: wanted,
    value,
    ...((monitor.keepFiringMinutes ?? 0) > 0 && { violated: now }),
  } as const;
  if (status === 'ok') {
    const isEnough = state.recent.split('1').length - 1 >= positive;
    if (!isEnough) return { state };
    return { state: { ...open, since: now, ...notifiedIn(monitor, now) }, change: { ...report, again: false } };
  }
  const kept: GroupState = { ...before!, ...open };
  // A switch between violating values and no data is news.
  if (status !== wanted || (monitor.notifyEveryRun && !isAcknowledged))
    return { state: { ...kept, ...notifiedIn(monitor, now) }, change: { ...report, again: true } };
  return isAcknowledged ? { state: kept } : repeatOpen(kept, report.why, monitor, reading, now);
}

/** Notifies of an open group again after `renotifyMinutes`. */
function repeatOpen(
  state: GroupState,
  why: Change['why'],
  monitor: StoredMonitor,
  reading: GroupReading,
  now: number,
): GroupStep {
  const { renotifyMinutes = 0 } = monitor;
  const last = state.told ?? state.since ?? now;
  if (renotifyMinutes === 0 || !hasPassed(last, renotifyMinutes * 60_000, now)) return { state };
  return {
    state: { ...state, ...notifiedIn(monitor, now) },
    change: { ...reportOf(reading), action: 'Open', why, again: true },
  };
}

const notifiedIn = ({ renotifyMinutes = 0 }: StoredMonitor, now: number): Pick<GroupState, 'told'> =>
  renotifyMinutes > 0 ? { told: now } : {};

/** A run that found no violation: an open group resolves, unless it has not recovered for long. */
function stepDown(
  before: GroupState | undefined,
  resolved: GroupState,
  { keepFiringMinutes = 0 }: StoredMonitor,
  reading: GroupReading,
  now: number,
): GroupStep {
  if (before === undefined || before.status === 'ok') return { state: resolved };
  const { found, value } = reading;
  const isKept = before.violated !== undefined && !hasPassed(before.violated, keepFiringMinutes * 60_000, now);
  if (before.status === 'open' && (found === 'holds' || isKept))
    return { state: { ...before, ...resolved, status: 'open', value: found === 'gone' ? (before.value ?? 0) : value } };
  const why = found === 'gone' || found === 'forgotten' ? found : before.status === 'nodata' ? 'back' : 'value';
  const { annotation } = before;
  const report = { ...reportOf(reading), ...(annotation !== undefined && { annotation }) };
  return { state: resolved, change: { ...report, action: 'Closed', why, again: false } };
}

/** When the group had data, for monitors that tell that it stops. */
function seenIn(
  before: GroupState | undefined,
  { alertOnNoData, notifyByGroup }: StoredMonitor,
  { found, labels }: GroupReading,
  now: number,
): Pick<GroupState, 'seen'> {
  if (!alertOnNoData || !notifyByGroup || labels.length === 0) return {};
  const hasData = found === 'violates' || found === 'holds' || found === 'fine';
  const seen = hasData ? now : before?.seen;
  return seen === undefined ? {} : { seen };
}

/** An open group as a change, for receivers that have not been notified of it. */
export const openChange = ({ status }: GroupState, reading: GroupReading): Omit<Change, 'group'> => ({
  ...reportOf(reading),
  action: 'Open',
  why: status === 'nodata' ? 'nodata' : reading.found === 'violates' ? 'value' : 'held',
  again: true,
});

const reportOf = ({ keys, labels, value, usual }: GroupReading) => ({
  keys,
  labels,
  value,
  ...(usual !== undefined && { usual }),
});
