import { createHash } from 'node:crypto';
import type { Monitor } from '../../schemas/monitor.js';
import type { RunWindow } from '../evaluate/evaluate.js';
import type { Change } from '../state/step.js';
import type { Notification } from './notification.js';
import { groupText, sentenceOf } from './wording.js';

/** From what changed to what is told. */

interface ComposedRun {
  readonly monitor: Monitor;
  readonly window: RunWindow;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/**
 * The notifications of one run, in order: what closed, group by group, then one for everything that
 * opened.
 * @param perGroup for receivers that close an incident by its key, and so need one opening for each
 * group
 */
export function compose(changes: readonly Change[], run: ComposedRun, perGroup: boolean): readonly Notification[] {
  const { skipResolved } = run.monitor;
  const closed = changes.filter(({ action, why }) => action === 'Closed' && why !== 'anew' && !skipResolved);
  const opened = changes.filter(({ action }) => action === 'Open').toSorted(byExtremity(run.monitor));
  const [first] = opened;
  return [
    ...closed.map((change) => notificationOf([change], change, run)),
    ...(first === undefined
      ? []
      : perGroup
        ? opened.map((change) => notificationOf([change], change, run))
        : [notificationOf(opened, first, run)]),
  ];
}

/** The one farthest to the side that opens comes first. */
function byExtremity({ operator }: Monitor) {
  const low = operator === 'Below' || operator === 'BelowOrEqual';
  return (a: Change, b: Change): number => (low ? a.value - b.value : b.value - a.value);
}

/** More would make the message of one run longer than receivers take. */
const mostListed = 50;

function notificationOf(all: readonly Change[], main: Change, { monitor, window, time }: ComposedRun): Notification {
  const lines = all.slice(0, mostListed).map((change) => {
    const group = groupText(change);
    return group === '' ? sentenceOf(change, monitor) : `${sentenceOf(change, monitor)} (${group})`;
  });
  if (all.length > mostListed) lines.push(`and ${all.length - mostListed} more groups`);
  return {
    ...aboutRun({ monitor, window, time }),
    action: main.action,
    body: lines.join('\n'),
    value: main.value,
    matchedEvent: null,
    groupKeys: main.labels.length === 0 ? null : main.keys,
    groupValues: main.labels.length === 0 ? null : main.labels,
    incident: incidentOf(monitor.id, main.group),
    severity: main.why === 'nodata' || main.why === 'back' ? 'warning' : 'error',
  };
}

export const aboutRun = ({ monitor, window, time }: ComposedRun) => ({
  monitorId: monitor.id,
  title: monitor.name,
  description: monitor.description ?? '',
  queryStartTime: new Date(window.start).toISOString(),
  queryEndTime: new Date(window.end).toISOString(),
  timestamp: new Date(time).toISOString(),
});

/** Receivers limit the length of keys, and groups are as long as their values. */
const incidentOf = (monitorId: string, group: string): string =>
  group === '' ? `millrace-${monitorId}` : `millrace-${monitorId}-${digest(group)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
