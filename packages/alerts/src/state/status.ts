import {
  aboutOf,
  type MonitorRun,
  type MonitorStatus,
  type StoredAcknowledgment,
  type StoredMonitor,
} from '@millrace/api/schemas/monitor';
import type { MonitorPreview } from '@millrace/api/schemas/monitor-preview';
import { acknowledgedGroups } from '../routing/acknowledged-groups.js';
import { isOff } from '../monitor.js';
import type { BackTest } from '../back-test/back-test.js';
import { nextRun } from '../schedule/phase.js';
import { groupHash, incidentId } from './change-details.js';
import type { RunRecord, MonitorSnapshot } from './records.js';
import { monitorStatus } from './state.js';

/** How monitors stand, as clients are shown it. */

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function statusOf(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  now: number,
  maxGroups: number,
  acknowledgments: readonly StoredAcknowledgment[] = [],
): MonitorStatus {
  const off = isOff(monitor, now);
  // Ignore the state of an earlier condition.
  const state = stand?.state.about === aboutOf(monitor) ? stand.state : undefined;
  const open = Object.entries(state?.groups ?? {}).filter(([, { status }]) => status !== 'ok');
  const acknowledged = acknowledgedGroups(monitor.id, state ?? { groups: {} }, acknowledgments);
  return {
    id: monitor.id,
    state: off ? 'off' : monitorStatus(state),
    ...(state?.error !== undefined && { error: state.error }),
    ...(state?.failingSince !== undefined && {
      failing: { since: instant(state.failingSince), runs: state.failures ?? 0 },
    }),
    ...(stand !== undefined && { lastRun: instant(stand.ran) }),
    ...(!off && { nextRun: instant(nextRun(monitor, stand?.ran, now)) }),
    openGroups: open.slice(0, maxGroups).map(([group, { keys, labels, since, status }]) => ({
      keys: [...keys],
      values: [...labels],
      ...(since !== undefined && { since: instant(since), incident: incidentId(since, groupHash(group)) }),
      state: status === 'nodata' ? 'nodata' : 'open',
      ...acknowledgmentOf(acknowledged.get(group)),
    })),
    openGroupCount: open.length,
  };
}

const acknowledgmentOf = (found: StoredAcknowledgment | undefined) =>
  found === undefined ? {} : { acknowledged: shownAcknowledgment(found) };

/** An acknowledgment as shown to clients. */
export const shownAcknowledgment = ({ at, by, through, name }: StoredAcknowledgment) => ({
  at,
  by,
  ...(through !== undefined && { through }),
  ...(name !== undefined && { name }),
});

export const toApiRun = ({ time, start, end, ...run }: RunRecord): MonitorRun => ({
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
  changes: changes.map(({ time, keys, values, ...change }) => ({
    ...change,
    time: instant(time),
    keys: [...keys],
    values: [...values],
  })),
  notifications: notifications.map(({ timestamp, action, body }) => ({ time: timestamp, action, body })),
  complete,
});
