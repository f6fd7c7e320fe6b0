import { healthMonitorId } from '../state/records.js';
import { testMonitorId } from './test-notification.js';

/** Monitors without a page in the console; links lead to the list of monitors. */
const withoutPage: readonly string[] = [healthMonitorId, testMonitorId];

/**
 * Link to a monitor in the console; undefined if the address of the console is unknown. The pages
 * are below `/console`, whether the server's or the console's address was set.
 */
export function linkTo(monitorId: string, consoleUrl: string | undefined): string | undefined {
  if (consoleUrl === undefined) return undefined;
  const base = consoleBase(consoleUrl);
  return withoutPage.includes(monitorId) ? `${base}/monitors` : `${base}/monitors/${monitorId}`;
}

/** Address of the console without a slash at the end, from that of the server or the console. */
export const consoleBase = (url: string): string =>
  url.replace(/\/+$/, '').replace(/([^/])(\/console)?$/, '$1/console');
