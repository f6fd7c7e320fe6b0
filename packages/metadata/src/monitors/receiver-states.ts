import { randomBytes } from 'node:crypto';
import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { destinationOf, type Notifier } from '@millrace/api/schemas/notifier';
import type { Clock } from '../clock.js';
import type { Connection } from '../database.js';

/**
 * Resolves alerts at receivers when a monitor or notifier changes or is deleted, in the transaction
 * of that change. Only marks the states; `alerts/outbox` sends the messages.
 */

interface CloseRequest {
  readonly monitorId: string;
  readonly why: string;
  /** Notifiers that keep their open alerts. */
  readonly except?: readonly string[];
}

/** Marks all open alerts of a monitor at receivers as resolved. */
export async function closeAtReceivers(
  { monitorId, why, except = [] }: CloseRequest,
  connection: Connection,
): Promise<void> {
  let update = connection
    .updateTable('receiver_states')
    .set(({ eb }) => ({ closing: why, due: 1, version: eb('version', '+', 1) }))
    .where('monitor_id', '=', monitorId)
    .where('notifier', '=', '');
  if (except.length > 0) update = update.where('notifier_id', 'not in', except);
  await update.execute();
}

/** Resolves alerts of a monitor that no longer notifies there, or changed its meaning. */
export async function monitorReplaced(
  before: StoredMonitor,
  after: StoredMonitor,
  connection: Connection,
  clock: Clock,
): Promise<void> {
  const monitorId = after.id;
  const close = (why: string, except?: readonly string[]) =>
    closeAtReceivers({ monitorId, why, ...(except !== undefined && { except }) }, connection);
  if (after.disabled) await close('The monitor was turned off');
  else if (after.disabledUntil !== undefined && Date.parse(after.disabledUntil) > clock())
    await close(`The monitor is muted until ${after.disabledUntil}`);
  else if (aboutOf(before) !== aboutOf(after)) await close('The monitor was changed');
  else if (before.notifierIds.some((id) => !after.notifierIds.includes(id)))
    await close('The monitor no longer notifies here', after.notifierIds);
}

/** The address stays known until all its alerts are resolved. */
export async function notifierRemoved(notifier: Notifier, connection: Connection): Promise<void> {
  await connection
    .updateTable('receiver_states')
    .set(({ eb }) => ({
      closing: 'The notifier was deleted',
      due: 1,
      version: eb('version', '+', 1),
      notifier: JSON.stringify(notifier),
    }))
    .where('notifier_id', '=', notifier.id)
    .execute();
}

/** Resolves open alerts at the former address; the next runs open them at the new one. */
export async function notifierReplaced(before: Notifier, after: Notifier, connection: Connection): Promise<void> {
  if (destinationOf(before.properties) === destinationOf(after.properties)) return;
  await connection
    .updateTable('receiver_states')
    .set(({ eb }) => ({
      notifier_id: `${before.id}-${randomBytes(6).toString('hex')}`,
      closing: 'The notifier leads elsewhere from now on',
      due: 1,
      version: eb('version', '+', 1),
      notifier: JSON.stringify(before),
    }))
    .where('notifier_id', '=', before.id)
    .execute();
  // Pending notifications to the former address are replaced by the states.
  await connection
    .deleteFrom('notifications')
    .where('notifier_id', '=', before.id)
    .where('state', '=', 'waiting')
    .where('groups', '!=', '')
    .execute();
}
