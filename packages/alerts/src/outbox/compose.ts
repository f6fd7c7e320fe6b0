import { createHash } from 'node:crypto';
import type { Monitor } from '@millrace/api/schemas/monitor';
import type { RunWindow } from '../evaluate/evaluate.js';
import type { Change } from '../state/transition.js';
import type { Notification } from './notification.js';
import type { Severity } from './severity.js';
import { groupText, describeChange } from './message-text.js';

/** Composes notifications from state changes. */

interface ComposedRun {
  readonly monitor: Monitor;
  readonly window: RunWindow;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/**
 * The messages of one run to a receiver without incidents, for a back-test: one for everything that
 * closed, then one for everything that opened.
 */
export function compose(changes: readonly Change[], run: ComposedRun): readonly Notification[] {
  const closed = changes.filter((change) => isClosing(change, run.monitor));
  const opened = changes.filter(isOpening).toSorted(byExtremity(run.monitor));
  return [closed, opened].flatMap((all) => (all[0] === undefined ? [] : [notificationOf(all, all[0], run)]));
}

/** How many messages {@link compose} makes. */
export const messageCount = (changes: readonly Change[], monitor: Monitor): number =>
  Number(changes.some((change) => isClosing(change, monitor))) + Number(changes.some(isOpening));

const isClosing = ({ action, why }: Change, { skipResolved }: Monitor): boolean =>
  action === 'Closed' && why !== 'edited' && !skipResolved;
const isOpening = ({ action }: Change): boolean => action === 'Open';

export const isLow = ({ operator }: Pick<Monitor, 'operator'>): boolean =>
  operator === 'Below' || operator === 'BelowOrEqual';

/** Most extreme violating value first. */
const byExtremity =
  (monitor: Monitor) =>
  (a: Change, b: Change): number =>
    isLow(monitor) ? a.value - b.value : b.value - a.value;

/** More would make the message of one run longer than receivers take. */
const maxListed = 50;

/** A line for each of the first groups, and the number of omitted ones. */
export function limitLines<G>(groups: readonly G[], line: (group: G) => string): readonly string[] {
  const lines = groups.slice(0, maxListed).map(line);
  return groups.length <= maxListed ? lines : [...lines, `and ${groups.length - maxListed} more groups`];
}

function notificationOf(all: readonly Change[], main: Change, { monitor, window, time }: ComposedRun): Notification {
  const lines = limitLines(all, (change) => {
    const group = groupText(change);
    return group === '' ? describeChange(change, monitor) : `${describeChange(change, monitor)} (${group})`;
  });
  return {
    ...aboutRun({ monitor, window, time }),
    action: main.action,
    body: lines.join('\n'),
    value: main.value,
    matchedEvent: null,
    groupKeys: main.labels.length === 0 ? null : main.keys,
    groupValues: main.labels.length === 0 ? null : main.labels,
    incident: incidentOf(monitor.id, main.group),
    severity: severityOf(monitor, main.why),
  };
}

/** Severity of a monitor. By default, missing data is less urgent than violating values. */
export const severityOf = ({ severity }: Pick<Monitor, 'severity'>, why?: Change['why']): Severity =>
  severity ?? (why === 'nodata' || why === 'back' ? 'warning' : 'error');

export const aboutRun = ({ monitor, window, time }: ComposedRun) => ({
  monitorId: monitor.id,
  title: monitor.name,
  description: monitor.description ?? '',
  queryStartTime: new Date(window.start).toISOString(),
  queryEndTime: new Date(window.end).toISOString(),
  timestamp: new Date(time).toISOString(),
});

/** Hashes groups, because receivers limit the length of keys. */
export const incidentOf = (monitorId: string, group: string): string =>
  group === '' ? `millrace-${monitorId}` : `millrace-${monitorId}-${digest(group)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
