import type { MonitorPreview, MonitorRun, MonitorStatus, StoredMonitor } from '../../schemas/monitor.js';
import { isOff } from '../monitor.js';
import type { BackTest } from '../schedule/back-test.js';
import { nextRun } from '../schedule/phase.js';
import type { RunRecord, Stand } from './records.js';
import { aboutOf, standingOf } from './state.js';

/** How monitors stand, as clients are shown it. */

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function statusOf(monitor: StoredMonitor, stand: Stand | undefined, now: number): MonitorStatus {
  const off = isOff(monitor, now);
  // What was found for another query says nothing about this one.
  const state = stand?.state.about === aboutOf(monitor) ? stand.state : undefined;
  const open = Object.values(state?.groups ?? {}).filter(({ status }) => status !== 'ok');
  return {
    id: monitor.id,
    state: off ? 'off' : standingOf(state),
    ...(state?.error !== undefined && { error: state.error }),
    ...(stand !== undefined && { lastRun: instant(stand.ran) }),
    ...(!off && { nextRun: instant(nextRun(monitor, stand?.ran, now)) }),
    openGroups: open.map(({ keys, labels, since }) => ({
      keys: [...keys],
      values: [...labels],
      ...(since !== undefined && { since: instant(since) }),
    })),
  };
}

export const shownRun = ({ time, start, end, ...run }: RunRecord): MonitorRun => ({
  ...run,
  time: instant(time),
  start: instant(start),
  end: instant(end),
});

export const shownBackTest = ({ runs, changes, notifications, complete }: BackTest): MonitorPreview => ({
  runs: runs.map(({ time, start, end, ...run }) => ({
    ...run,
    time: instant(time),
    start: instant(start),
    end: instant(end),
  })),
  changes: changes.map((change) => ({ ...change, time: instant(change.time) })),
  notifications: notifications.map(({ timestamp, action, body }) => ({ time: timestamp, action, body })),
  complete,
});
