import { consoleBase } from '@millrace/http/console-address';
import { failingGroup } from '../state/monitor-failure.js';
import { healthMonitorId } from '../state/records.js';
import { incidentOf } from './compose.js';
import { summaryKey } from './next-message.js';
import type { Notification } from './notification.js';
import { testMonitorId } from './test-notification.js';

/** Monitors without a page in the console; links lead to the list of monitors. */
const withoutPage: readonly string[] = [healthMonitorId, testMonitorId];

/**
 * Link to a monitor in the console, or to an incident of it; undefined if the address of the
 * console is unknown. The pages are below `/console`, whether the server's or the console's address
 * was set.
 */
export function linkTo(monitorId: string, consoleUrl: string | undefined, incident?: string): string | undefined {
  if (consoleUrl === undefined) return undefined;
  const base = consoleBase(consoleUrl);
  if (withoutPage.includes(monitorId)) return `${base}/monitors`;
  return `${base}/monitors/${monitorId}${incident === undefined ? '' : `/incidents/${incident}`}`;
}

/**
 * Reference of the incident that a notification is about: the time of its run, and its group if it
 * has one. Undefined for a monitor that cannot run, which is no incident of the history.
 */
export function incidentReference({
  monitorId,
  timestamp,
  incident,
  matchedEvent,
}: Pick<Notification, 'monitorId' | 'timestamp' | 'incident' | 'matchedEvent'>): string | undefined {
  if (incident === incidentOf(monitorId, failingGroup)) return undefined;
  const isOfGroup = matchedEvent === null && incident !== incidentOf(monitorId, summaryKey);
  const group = isOfGroup ? /-([0-9a-f]{24})$/.exec(incident.slice(`millrace-${monitorId}`.length))?.[1] : undefined;
  return `${Date.parse(timestamp)}${group === undefined ? '' : `-${group}`}`;
}
