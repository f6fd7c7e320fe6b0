import type { Connection } from '@millrace/metadata/database';
import type { MonitorAttempt } from '@millrace/api/schemas/incident';
import type { Notification } from './notification.js';
import type { MessageGroups } from './receiver-state.js';
import type { Recipients } from './deliver.js';

/** Pending notifications in the database. */

/** A message, or a receiver state that a message can be made from, for one monitor. */
export interface Candidate {
  readonly monitorId: string;
  /** Position of the message; undefined if there is only a state. */
  readonly position?: number;
  /** Attempts that failed. */
  readonly tries: number;
  readonly nextTry: number;
  /** The receiver has a state, and something in it is due. */
  readonly due: boolean;
  readonly severity: number;
  readonly since: number;
}

export interface WaitingMessage {
  readonly id: string;
  readonly monitorId: string;
  readonly notifierId: string;
  readonly created: number;
  readonly tries: number;
  /** Why the last attempt failed; empty if none did. */
  readonly problem: string;
  readonly notification: Notification;
  /** Undefined for an event that matched. */
  readonly covered: MessageGroups | undefined;
  readonly recipients: Recipients;
  readonly attempts: readonly MonitorAttempt[];
}

/** Notifiers for which something waits. */
export async function notifiersWaitedFor(connection: Connection): Promise<readonly string[]> {
  const rows = await connection
    .selectFrom('notifications')
    .select('notifier_id')
    .where('state', '=', 'waiting')
    .union(({ selectFrom }) => selectFrom('receiver_states').select('notifier_id').where('due', '=', 1))
    .execute();
  return rows.map(({ notifier_id }) => notifier_id);
}

/** Returns the next candidate per monitor of a notifier: its oldest message, or its due state. */
export async function candidatesFor(notifierId: string, connection: Connection): Promise<readonly Candidate[]> {
  const messages = await connection
    .selectFrom('notifications')
    .select(['monitor_id', 'position', 'tries', 'next_try', 'severity', 'created'])
    .where('position', 'in', ({ selectFrom }) =>
      selectFrom('notifications')
        .select(({ fn }) => fn.min('position').as('first'))
        .where('notifier_id', '=', notifierId)
        .where('state', '=', 'waiting')
        .groupBy('monitor_id'),
    )
    .execute();
  const states = await connection
    .selectFrom('receiver_states')
    .select(['monitor_id', 'severity', 'since'])
    .where('notifier_id', '=', notifierId)
    .where('due', '=', 1)
    .execute();
  const found = new Map<string, Candidate>();
  for (const { monitor_id, severity, since } of states)
    found.set(monitor_id, { monitorId: monitor_id, tries: 0, nextTry: 0, due: true, severity, since });
  for (const { monitor_id, position, tries, next_try, severity, created } of messages)
    found.set(monitor_id, {
      monitorId: monitor_id,
      position,
      tries,
      nextTry: next_try,
      due: found.has(monitor_id),
      severity: Math.max(severity, found.get(monitor_id)?.severity ?? 0),
      since: created,
    });
  return [...found.values()];
}

/** Messages about a monitor that were made from the receiver's state, sent and pending ones. */
const selectStateMessages = (notifierId: string, monitorId: string, connection: Connection) =>
  connection
    .selectFrom('notifications')
    .where('notifier_id', '=', notifierId)
    .where('monitor_id', '=', monitorId)
    .where('groups', '!=', '');

/**
 * The pending message that was made from the receiver's state; matching events of the same monitor
 * may be pending before it.
 */
export async function stateMessage(
  notifierId: string,
  monitorId: string,
  connection: Connection,
): Promise<WaitingMessage | undefined> {
  const row = await selectStateMessages(notifierId, monitorId, connection)
    .select('position')
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return row === undefined ? undefined : messageAt(row.position, connection);
}

export async function messageAt(position: number, connection: Connection): Promise<WaitingMessage | undefined> {
  const row = await connection
    .selectFrom('notifications')
    .selectAll()
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    monitorId: row.monitor_id,
    notifierId: row.notifier_id,
    created: row.created,
    tries: row.tries,
    problem: row.problem,
    notification: JSON.parse(row.notification) as Notification,
    covered: row.groups === '' ? undefined : (JSON.parse(row.groups) as MessageGroups),
    recipients: JSON.parse(row.recipients) as Recipients,
    attempts: JSON.parse(row.attempts) as readonly MonitorAttempt[],
  };
}

/** Time of the newest run that a message to a notifier about a monitor covers. */
export async function lastMessageAt(
  notifierId: string,
  monitorId: string,
  connection: Connection,
): Promise<number | undefined> {
  const row = await selectStateMessages(notifierId, monitorId, connection)
    .select('created')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created;
}

/** The former notifier of states that are closed there. */
export async function formerNotifier(notifierId: string, connection: Connection): Promise<string | undefined> {
  const row = await connection
    .selectFrom('receiver_states')
    .select('notifier')
    .where('notifier_id', '=', notifierId)
    .where('notifier', '!=', '')
    .limit(1)
    .executeTakeFirst();
  return row?.notifier;
}

/** Whether a message is still pending. */
export async function isWaiting(id: string, connection: Connection): Promise<boolean> {
  const row = await connection
    .selectFrom('notifications')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return row !== undefined;
}
