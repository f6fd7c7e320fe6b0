import { healthMonitorId } from '../state/records.js';
import { testMonitorId } from './test-notification.js';

/** Monitors that have no page of their own: they are looked at among the others. */
const withoutPage: readonly string[] = [healthMonitorId, testMonitorId];

/** Where people look at a monitor; undefined if it is not known where the console is. */
export function linkTo(monitorId: string, consoleUrl: string | undefined): string | undefined {
  if (consoleUrl === undefined) return undefined;
  return withoutPage.includes(monitorId) ? `${consoleUrl}/monitors` : `${consoleUrl}/monitors/${monitorId}`;
}
