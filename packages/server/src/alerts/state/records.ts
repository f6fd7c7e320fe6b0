import type { Connection, Database } from '../../metadata/database.js';
import type { Metadata } from '../../metadata/metadata.js';
import type { MonitorChange } from '../../schemas/monitor.js';
import type { Annotation } from '../../schemas/query-resources.js';
import type { Notification } from '../outbox/notification.js';
import type { MonitorState } from './state.js';

/**
 * What is remembered of monitors: where each stands, its last runs, what opened and closed, and
 * what is to be sent. What a run decides is written in one transaction, so that after a crash all
 * of it is there or the run was never made.
 */

/** Where a monitor stands after its last run. */
export interface Stand {
  /** The time for which the last run was made, milliseconds since the epoch. */
  readonly ran: number;
  readonly state: MonitorState;
}

/** A run as it is remembered; times in milliseconds since the epoch. */
export interface RunRecord {
  readonly id: string;
  readonly time: number;
  readonly start: number;
  readonly end: number;
  readonly state: 'ok' | 'open' | 'nodata' | 'error';
  readonly value?: number;
  /** Events that matched. */
  readonly matched?: number;
  readonly error?: string;
  /** Notifications that it sent. */
  readonly notified: number;
  readonly milliseconds: number;
}

export interface Decided {
  /** Stays the same however often the decision is made. */
  readonly id: string;
  readonly notifierId: string;
  readonly notification: Notification;
}

/** Everything that a run decides. */
export interface Outcome extends Stand {
  readonly monitorId: string;
  readonly run: RunRecord;
  readonly changes: readonly MonitorChange[];
  readonly decided: readonly Decided[];
  readonly annotations: readonly Annotation[];
}

export async function standsIn(database: Database): Promise<Map<string, Stand>> {
  const rows = await database.selectFrom('monitor_states').selectAll().execute();
  return new Map(
    rows.map(({ monitor_id, ran, state }) => [monitor_id, { ran, state: JSON.parse(state) as MonitorState }]),
  );
}

interface Kept {
  /** Runs that are remembered of each monitor. */
  readonly runs: number;
  /** Notifications that may wait for one notifier. */
  readonly waiting: number;
  /** Whether another process may run monitors too. */
  readonly shared?: boolean;
}

/** Writes what runs decided. A monitor that is gone decides nothing. */
export async function writeOutcomes(
  { database, annotations }: Pick<Metadata, 'database' | 'annotations'>,
  outcomes: readonly Outcome[],
  kept: Kept,
): Promise<void> {
  try {
    await database.transaction().execute(async (connection) => {
      for (const outcome of outcomes) {
        if (!(await isThere(outcome.monitorId, connection))) continue;
        // For a moment two processes may run them. Both decide the same, and the first has written
        // it.
        if (kept.shared === true && (await isWritten(outcome, connection))) continue;
        await writeRun(outcome, connection, kept.runs);
        for (const decided of outcome.decided) await enqueue(outcome, decided, connection, kept.waiting);
        for (const annotation of outcome.annotations) await annotations.put(annotation, connection);
      }
    });
  } finally {
    if (outcomes.some((outcome) => outcome.annotations.length > 0)) annotations.written();
  }
}

async function isWritten({ monitorId, ran, state }: Outcome, connection: Connection): Promise<boolean> {
  const row = await connection
    .selectFrom('monitor_states')
    .select(['ran', 'state'])
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst();
  if (row === undefined) return false;
  const { runs } = JSON.parse(row.state) as MonitorState;
  return runs > state.runs || (runs === state.runs && row.ran >= ran);
}

async function isThere(id: string, connection: Connection): Promise<boolean> {
  const row = await connection
    .selectFrom('documents')
    .select('id')
    .where('collection', '=', 'monitors')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined || builtIn.has(id);
}

/** Monitors that are no documents. */
export const healthMonitorId = 'millrace-health';
const builtIn: ReadonlySet<string> = new Set([healthMonitorId]);

async function writeRun(
  { monitorId, ran, state, run, changes }: Outcome,
  connection: Connection,
  runs: number,
): Promise<void> {
  const stand = { ran, state: JSON.stringify(state) };
  await connection
    .insertInto('monitor_states')
    .values({ monitor_id: monitorId, ...stand })
    .onConflict((conflict) => conflict.column('monitor_id').doUpdateSet(stand))
    .execute();
  const row = { time: run.time, run: JSON.stringify(run) };
  await connection
    .insertInto('monitor_runs')
    .values({ monitor_id: monitorId, place: state.runs % runs, ...row })
    .onConflict((conflict) => conflict.columns(['monitor_id', 'place']).doUpdateSet(row))
    .execute();
  for (const change of changes)
    await connection
      .insertInto('monitor_changes')
      .values({ monitor_id: monitorId, time: Date.parse(change.timestamp), change: JSON.stringify(change) })
      .execute();
}

async function enqueue(
  { monitorId, run }: Outcome,
  { id, notifierId, notification }: Decided,
  connection: Connection,
  mostWaiting: number,
): Promise<void> {
  const { waiting } = await connection
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('notifier_id', '=', notifierId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  const isFull = waiting >= mostWaiting;
  await connection
    .insertInto('notifications')
    .values({
      id,
      monitor_id: monitorId,
      notifier_id: notifierId,
      created: run.time,
      next_try: run.time,
      tries: 0,
      state: isFull ? 'failed' : 'waiting',
      problem: isFull ? `${mostWaiting} notifications wait for this notifier already` : '',
      notification: JSON.stringify(notification),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

interface Between {
  readonly from: number;
  readonly to: number;
}

/** What opened and closed, oldest first; both bounds inclusive, milliseconds since the epoch. */
export async function changesOf(
  monitorId: string,
  { from, to }: Between,
  connection: Connection,
): Promise<readonly MonitorChange[]> {
  const rows = await connection
    .selectFrom('monitor_changes')
    .select('change')
    .where('monitor_id', '=', monitorId)
    .where('time', '>=', from)
    .where('time', '<=', to)
    .orderBy('time')
    .orderBy('position')
    .limit(mostChanges)
    .execute();
  return rows.map(({ change }) => JSON.parse(change) as MonitorChange);
}

/**
 * More than a monitor of one group makes in its whole history if it opens or closes at every run of
 * an hour's interval.
 */
const mostChanges = 10_000;

/** The last runs, newest first. */
export async function runsOf(monitorId: string, connection: Connection): Promise<readonly RunRecord[]> {
  const rows = await connection
    .selectFrom('monitor_runs')
    .select('run')
    .where('monitor_id', '=', monitorId)
    .orderBy('time', 'desc')
    .execute();
  return rows.map(({ run }) => JSON.parse(run) as RunRecord);
}

/** Removes what is older than anybody may ask for. */
export async function forgetOlder(before: number, connection: Connection): Promise<void> {
  await connection.deleteFrom('monitor_changes').where('time', '<', before).execute();
  await connection.deleteFrom('notifications').where('created', '<', before).where('state', '!=', 'waiting').execute();
}
