import type { Metadata } from '@millrace/metadata/metadata';
import { consoleBase } from '@millrace/http/console-address';
import { incidentReference } from '../outbox/links.js';
import type { Notification } from '../outbox/notification.js';
import { healthMonitorId } from '../state/records.js';
import { testMonitorId } from '../outbox/test-notification.js';
import { linkKeyName, linkToken } from './link-token.js';

interface LinkSettings {
  readonly consoleUrl: string | undefined;
  /** How long a link works, milliseconds; 0 for no links. */
  readonly messageLinks: number;
}

/**
 * Makes links by which receivers of a message acknowledge or snooze what it is about. Undefined for
 * messages about nothing that can be open: closings, events that matched, the server itself, and a
 * monitor that cannot run.
 */
export const respondLinks =
  ({ serverKeys }: Pick<Metadata, 'serverKeys'>, { consoleUrl, messageLinks }: LinkSettings, clock: () => number) =>
  async (id: string, notification: Notification): Promise<string | undefined> => {
    const { monitorId, action, matchedEvent } = notification;
    if (consoleUrl === undefined || messageLinks === 0 || action !== 'Open' || matchedEvent !== null) return undefined;
    if (monitorId === healthMonitorId || monitorId === testMonitorId) return undefined;
    if (incidentReference(notification) === undefined) return undefined;
    const token = linkToken(await serverKeys.get(linkKeyName), id, clock() + messageLinks);
    return `${consoleBase(consoleUrl)}/respond/${token}`;
  };
