import { isDeepStrictEqual } from 'node:util';
import type { Yielder } from '@millrace/runtime/async/yield';
import type { Connection } from '@millrace/metadata/database';
import type { Notifier } from '@millrace/api/schemas/notifier';
import {
  type AboutMonitor,
  type GroupNews,
  hasOpen,
  isDue,
  isEmpty,
  type News,
  newReceiverState,
  type ReceiverState,
  assumeDelivered,
  withChanges,
  withExactly,
  dropGroups,
} from './receiver-state.js';
import { rankOf } from './severity.js';

/** Stores receiver states with optimistic locking: a write based on an older version fails. */

interface StoredReceiver {
  readonly notifierId: string;
  readonly monitorId: string;
  readonly version: number;
  /** Why everything is over; empty if it is not. */
  readonly closing: string;
  /** The notifier, if it was deleted or changed its destination. */
  readonly former?: Notifier;
  readonly state: ReceiverState;
}

/** Another process has written the same at the same time. */
export class OutdatedWrite extends Error {}

export async function readReceiver(
  notifierId: string,
  monitorId: string,
  connection: Connection,
): Promise<StoredReceiver | undefined> {
  const row = await connection
    .selectFrom('receiver_states')
    .selectAll()
    .where('notifier_id', '=', notifierId)
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    notifierId,
    monitorId,
    version: row.version,
    closing: row.closing,
    ...(row.notifier !== '' && { former: JSON.parse(row.notifier) as Notifier }),
    state: JSON.parse(row.state) as ReceiverState,
  };
}

/**
 * Replaces the state that was read. Deletes it if the receiver is closing and nothing is pending.
 * @throws OutdatedWrite
 */
export async function writeReceiver(
  { notifierId, monitorId, version, closing }: StoredReceiver,
  state: ReceiverState,
  connection: Connection,
): Promise<void> {
  const isOver = closing !== '' && isEmpty(state);
  const result = isOver
    ? await connection
        .deleteFrom('receiver_states')
        .where('notifier_id', '=', notifierId)
        .where('monitor_id', '=', monitorId)
        .where('version', '=', version)
        .executeTakeFirst()
    : await connection
        .updateTable('receiver_states')
        .set({ version: version + 1, closing, ...columnsOf(state, closing), state: JSON.stringify(state) })
        .where('notifier_id', '=', notifierId)
        .where('monitor_id', '=', monitorId)
        .where('version', '=', version)
        .executeTakeFirst();
  const changed = 'numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows;
  if (changed !== 1n) throw new OutdatedWrite(`the state of ${notifierId} for ${monitorId} has changed`);
}

/** Columns by which the outbox selects what to send first. */
function columnsOf(state: ReceiverState, closing = '') {
  let severity = rankOf(state.about.severity);
  let since = Number.MAX_SAFE_INTEGER;
  for (const { due, news } of Object.values(state.incidents)) {
    if (!due) continue;
    severity = Math.max(severity, rankOf(news?.severity ?? 'info'));
    since = Math.min(since, news?.time ?? 0);
  }
  return { due: isDue(state) || (closing !== '' && hasOpen(state)) ? 1 : 0, severity, since };
}

/** News of a run for the notifiers of its monitor. */
export interface RunNews {
  readonly about: AboutMonitor;
  /** Notifiers that follow the monitor; none while it is muted. */
  readonly notifierIds: readonly string[];
  /** Notifiers of some groups only, by key: escalated ones. */
  readonly onlyGroups?: ReadonlyMap<string, readonly string[]>;
  /** Open groups that a user has acknowledged, by key. */
  readonly acknowledged?: ReadonlySet<string>;
  readonly changes: readonly GroupNews[];
  /** All groups that are open after the run; undefined if the run failed. */
  readonly open: readonly GroupNews[] | undefined;
  /** Closing news for receivers that no longer follow the monitor. */
  readonly over: News;
  /** The state before the run was written by a version without receiver states. */
  readonly isFromOlderVersion: boolean;
}

/** Applies a run to the states of the monitor's receivers; unaffected states are not written. */
export async function followRun(
  monitorId: string,
  run: RunNews,
  connection: Connection,
  yielder: Yielder,
): Promise<void> {
  const rows = await connection
    .selectFrom('receiver_states')
    .select(['notifier_id', 'closing'])
    .where('monitor_id', '=', monitorId)
    .where('notifier', '=', '')
    .execute();
  const closings = new Map(rows.map(({ notifier_id, closing }) => [notifier_id, closing]));
  const left = rows.filter(({ notifier_id, closing }) => closing === '' && !run.notifierIds.includes(notifier_id));
  if (left.length > 0)
    await connection
      .updateTable('receiver_states')
      .set(({ eb }) => ({ closing: run.over.text, due: 1, version: eb('version', '+', 1) }))
      .where('monitor_id', '=', monitorId)
      .where(
        'notifier_id',
        'in',
        left.map(({ notifier_id }) => notifier_id),
      )
      .execute();
  for (const notifierId of run.notifierIds) {
    await yielder.maybeYield();
    const closing = closings.get(notifierId);
    const groups = run.onlyGroups?.get(notifierId);
    if (groups !== undefined) await followGroups(monitorId, notifierId, closing, onlyGroups(run, groups), connection);
    else if (closing !== '' && run.open !== undefined) await startFollowing(monitorId, notifierId, run, connection);
    else if (closing === '' && run.changes.length > 0) {
      const stored = (await readReceiver(notifierId, monitorId, connection))!;
      await writeReceiver(stored, withChanges(stored.state, run.about, run.changes), connection);
    }
  }
}

/**
 * Applies a run to a receiver that follows some groups only; before the first of them it has no
 * state.
 */
async function followGroups(
  monitorId: string,
  notifierId: string,
  closing: string | undefined,
  run: RunNews,
  connection: Connection,
): Promise<void> {
  const { open, changes, about, over } = run;
  if (closing !== '') {
    if (open !== undefined && open.length > 0) await startFollowing(monitorId, notifierId, run, connection);
    return;
  }
  const stored = (await readReceiver(notifierId, monitorId, connection))!;
  const changed = withChanges(stored.state, about, changes);
  const state = open === undefined ? changed : withExactly(changed, open, over);
  if (!isDeepStrictEqual(state, stored.state)) await writeReceiver(stored, state, connection);
}

/**
 * The part of a run that concerns some groups. All closings stay: others are unknown to the
 * receiver.
 */
function onlyGroups(run: RunNews, groups: readonly string[]): RunNews {
  const isAbout = ({ group }: GroupNews): boolean => groups.includes(group);
  const escalate = (each: GroupNews): GroupNews => ({
    ...each,
    news: {
      ...each.news,
      text: `${run.acknowledged?.has(each.group) === true ? 'Acknowledged' : 'Not acknowledged'}: ${each.news.text}`,
    },
  });
  return {
    ...run,
    isFromOlderVersion: false,
    changes: run.changes
      .filter((each) => each.action === 'Closed' || isAbout(each))
      .map((each) => (each.action === 'Closed' ? each : escalate(each))),
    open: run.open?.filter(isAbout).map(escalate),
  };
}

/** Starts following with the groups that are open now, for a receiver that is new or was closed. */
async function startFollowing(
  monitorId: string,
  notifierId: string,
  run: RunNews,
  connection: Connection,
): Promise<void> {
  const { about, open = [], over } = run;
  const stored = await readReceiver(notifierId, monitorId, connection);
  if (stored !== undefined) {
    const closed = dropGroups(stored.state, { ...over, text: stored.closing });
    await writeReceiver({ ...stored, closing: '' }, { ...withExactly(closed, open, over), about }, connection);
    return;
  }
  const state = run.isFromOlderVersion ? continuedState(run) : withExactly(newReceiverState(about), open, over);
  await connection
    .insertInto('receiver_states')
    .values({
      notifier_id: notifierId,
      monitor_id: monitorId,
      version: 1,
      closing: '',
      notifier: '',
      ...columnsOf(state),
      state: JSON.stringify(state),
    })
    .execute();
}

/**
 * Derives the state from the groups that are open or close now: older versions stored no receiver
 * states.
 */
function continuedState({ about, open = [], changes }: RunNews): ReceiverState {
  const isNew = ({ action, again }: GroupNews): boolean => action === 'Open' && !again;
  const opened = new Set(changes.filter(isNew).map(({ group }) => group));
  const before = [
    ...open.filter(({ group }) => !opened.has(group)),
    ...changes.filter(({ action }) => action === 'Closed'),
  ];
  return withChanges(assumeDelivered(about, before), about, changes);
}
