import type { Connection, Database } from '@millrace/metadata/database';
import type { Metadata } from '@millrace/metadata/metadata';
import type { MonitorChange } from '@millrace/api/schemas/monitor';
import type { Annotation } from '@millrace/api/schemas/query-resources';
import { Yielder } from '@millrace/runtime/async/yield';
import type { Notification } from '../outbox/notification.js';
import { followRun, type RunNews } from '../outbox/receiver-store.js';
import { rankOf } from '../outbox/severity.js';
import { shownChange, type StoredChange } from './change-details.js';
import type { MonitorState } from './state.js';

/**
 * Stored data of monitors: state, recent runs, state changes and pending notifications. The outcome
 * of a run is written in one transaction, so after a crash it is stored completely or not at all.
 */

/** State of a monitor after its last run. */
export interface MonitorSnapshot {
  /** Scheduled time of the last run, milliseconds since the epoch. */
  readonly ran: number;
  readonly state: MonitorState;
}

/** A stored run; times in milliseconds since the epoch. */
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

export interface Transition {
  /** Deterministic, so that a repeated run creates no duplicate. */
  readonly id: string;
  readonly notifierId: string;
  readonly notification: Notification;
}

/** Everything that a run decides. */
export interface RunOutcome extends MonitorSnapshot {
  readonly monitorId: string;
  readonly run: RunRecord;
  /** Earlier runs that it made up for, oldest first. */
  readonly missed?: readonly RunRecord[];
  readonly changes: readonly StoredChange[];
  /** Notifications of single matching events. */
  readonly decided: readonly Transition[];
  /** News for notifiers about the groups; match monitors have none. */
  readonly news?: RunNews;
  readonly annotations: readonly Annotation[];
}

export async function loadSnapshots(database: Database): Promise<Map<string, MonitorSnapshot>> {
  const rows = await database.selectFrom('monitor_states').selectAll().execute();
  return new Map(
    rows.map(({ monitor_id, ran, state }) => [monitor_id, { ran, state: JSON.parse(state) as MonitorState }]),
  );
}

interface RecordLimits {
  /** Maximum stored runs per monitor. */
  readonly runs: number;
  /** Maximum stored state changes per monitor. */
  readonly changes: number;
  /** Notifications that may wait for one notifier. */
  readonly waiting: number;
  /** Whether another process may run monitors too. */
  readonly shared?: boolean;
}

/**
 * Writes the outcomes of runs in transactions of bounded size, so that they do not block other
 * writes for long. Skips deleted monitors.
 */
export async function writeOutcomes(
  metadata: Pick<Metadata, 'database' | 'annotations'>,
  outcomes: readonly RunOutcome[],
  kept: RecordLimits,
): Promise<void> {
  for (const some of bySize(outcomes)) await writeTogether(metadata, some, kept);
}

/** Groups, changes and events written in one transaction, if one run does not have more. */
const maxTogether = 1000;

function bySize(outcomes: readonly RunOutcome[]): readonly (readonly RunOutcome[])[] {
  const parts: RunOutcome[][] = [];
  let size = Infinity;
  for (const outcome of outcomes) {
    const own = 1 + Object.keys(outcome.state.groups).length + outcome.changes.length + outcome.decided.length;
    if (size + own > maxTogether) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(outcome);
    size += own;
  }
  return parts;
}

async function writeTogether(
  { database, annotations }: Pick<Metadata, 'database' | 'annotations'>,
  outcomes: readonly RunOutcome[],
  kept: RecordLimits,
): Promise<void> {
  const yielder = new Yielder();
  try {
    await database.transaction().execute(async (connection) => {
      const waiting = new QueueCounts(connection, kept.waiting);
      for (const outcome of outcomes) {
        await yielder.maybeYield();
        if (!(await isThere(outcome.monitorId, connection))) continue;
        // For a moment two processes may run them. Both decide the same, and the first has written
        // it.
        const present = kept.shared === true ? await writtenRun(outcome, connection) : undefined;
        if (present !== undefined && isWritten(outcome, present)) continue;
        await writeRun(withoutWritten(outcome, present), connection, { ...kept, yielder });
        if (outcome.news !== undefined) await followRun(outcome.monitorId, outcome.news, connection, yielder);
        for (const decided of outcome.decided) {
          await yielder.maybeYield();
          await waiting.add(outcome, decided);
        }
        await yielder.maybeYield();
        await annotations.putAll(outcome.annotations, connection, yielder);
      }
    });
  } finally {
    if (outcomes.some((outcome) => outcome.annotations.length > 0)) annotations.recordWrite();
  }
}

interface WrittenRun {
  readonly ran: number;
  readonly runs: number;
}

async function writtenRun({ monitorId }: RunOutcome, connection: Connection): Promise<WrittenRun | undefined> {
  const row = await connection
    .selectFrom('monitor_states')
    .select(['ran', 'state'])
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst();
  return row === undefined ? undefined : { ran: row.ran, runs: (JSON.parse(row.state) as MonitorState).runs };
}

const isWritten = ({ ran, state }: RunOutcome, present: WrittenRun): boolean =>
  present.runs > state.runs || (present.runs === state.runs && present.ran >= ran);

/** Leaves out changes of missed runs that another process has made up and written. */
function withoutWritten(outcome: RunOutcome, present: WrittenRun | undefined): RunOutcome {
  const { missed = [], state, changes } = outcome;
  if (present === undefined || present.runs < state.runs - missed.length) return outcome;
  return { ...outcome, changes: changes.filter(({ timestamp }) => Date.parse(timestamp) > present.ran) };
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
  { monitorId, ran, state, run, missed = [], changes }: RunOutcome,
  connection: Connection,
  { runs, changes: maxStored, yielder }: RecordLimits & { readonly yielder: Yielder },
): Promise<void> {
  const stand = { ran, state: JSON.stringify(state) };
  await connection
    .insertInto('monitor_states')
    .values({ monitor_id: monitorId, ...stand })
    .onConflict((conflict) => conflict.column('monitor_id').doUpdateSet(stand))
    .execute();
  const made = [...missed, run];
  for (const [n, each] of made.entries()) {
    const row = { time: each.time, run: JSON.stringify(each) };
    await connection
      .insertInto('monitor_runs')
      .values({ monitor_id: monitorId, place: (state.runs - made.length + 1 + n) % runs, ...row })
      .onConflict((conflict) => conflict.columns(['monitor_id', 'place']).doUpdateSet(row))
      .execute();
  }
  for (let first = 0; first < changes.length; first += rowsAtOnce) {
    await yielder.maybeYield();
    await connection
      .insertInto('monitor_changes')
      .values(
        changes.slice(first, first + rowsAtOnce).map((change) => ({
          monitor_id: monitorId,
          time: Date.parse(change.timestamp),
          change: JSON.stringify(change),
        })),
      )
      .execute();
  }
  await yielder.maybeYield();
  if (changes.length > 0) await forgetOldest(monitorId, maxStored, connection);
}

/** Deletes the oldest changes of a monitor beyond a number. */
async function forgetOldest(monitorId: string, maxStored: number, connection: Connection): Promise<void> {
  const oldest = await connection
    .selectFrom('monitor_changes')
    .select('position')
    .where('monitor_id', '=', monitorId)
    .orderBy('time', 'desc')
    .orderBy('position', 'desc')
    .limit(maxForgotten)
    .offset(maxStored)
    .execute();
  if (oldest.length === 0) return;
  const positions = oldest.map(({ position }) => position);
  await connection.deleteFrom('monitor_changes').where('position', 'in', positions).execute();
}

/** Deletions of one statement, more than a run adds unless it opens all groups of a large limit. */
const maxForgotten = 5000;

/** Rows of one statement. */
const rowsAtOnce = 200;

/** The events that wait for each notifier, counted once for a transaction. */
class QueueCounts {
  readonly #connection: Connection;
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(connection: Connection, max: number) {
    this.#connection = connection;
    this.#max = max;
  }

  async add({ monitorId, run }: RunOutcome, { id, notifierId, notification }: Transition): Promise<void> {
    const waiting = this.#counts.get(notifierId) ?? (await this.#count(notifierId));
    const isFull = waiting >= this.#max;
    this.#counts.set(notifierId, waiting + (isFull ? 0 : 1));
    await this.#connection
      .insertInto('notifications')
      .values({
        id,
        monitor_id: monitorId,
        notifier_id: notifierId,
        created: run.time,
        next_try: run.time,
        tries: 0,
        state: isFull ? 'failed' : 'waiting',
        problem: isFull ? `${this.#max} notifications wait for this notifier already` : '',
        notification: JSON.stringify(notification),
        severity: rankOf(notification.severity),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }

  async #count(notifierId: string): Promise<number> {
    const { waiting } = await this.#connection
      .selectFrom('notifications')
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .where('notifier_id', '=', notifierId)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    return Number(waiting);
  }
}

interface Between {
  readonly from: number;
  readonly to: number;
}

/** State changes, oldest first; both bounds inclusive, milliseconds since the epoch. */
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
    .limit(maxChanges)
    .execute();
  return rows.map(({ change }) => shownChange(JSON.parse(change) as StoredChange));
}

/**
 * More changes than a monitor with one group makes in its history if it changes at every hourly
 * run.
 */
const maxChanges = 10_000;

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

/**
 * Deletes records older than the history that clients can query, and the oldest notifications of
 * monitors with more than a number.
 */
export async function forgetOlder(before: number, maxNotifications: number, connection: Connection): Promise<void> {
  await inParts(() =>
    connection
      .deleteFrom('monitor_changes')
      .where('position', 'in', ({ selectFrom }) =>
        selectFrom('monitor_changes').select('position').where('time', '<', before).limit(maxTogether),
      )
      .executeTakeFirst(),
  );
  await inParts(() =>
    connection
      .deleteFrom('notifications')
      .where('position', 'in', ({ selectFrom }) =>
        selectFrom('notifications')
          .select('position')
          .where('created', '<', before)
          .where('state', '!=', 'waiting')
          .limit(maxTogether),
      )
      .executeTakeFirst(),
  );
  const rows = await connection
    .selectFrom('notifications')
    .select('monitor_id')
    .groupBy('monitor_id')
    .having(({ fn }) => fn.countAll(), '>', maxNotifications)
    .execute();
  for (const { monitor_id } of rows)
    await inParts(() =>
      connection
        .deleteFrom('notifications')
        .where('position', 'in', ({ selectFrom }) =>
          selectFrom('notifications')
            .select('position')
            .where('monitor_id', '=', monitor_id)
            .where('state', '!=', 'waiting')
            .orderBy('created', 'desc')
            .orderBy('position', 'desc')
            .limit(maxTogether)
            .offset(maxNotifications),
        )
        .executeTakeFirst(),
    );
}

/** Repeats a deletion of a bounded number of rows until none is left, so that others have turns. */
async function inParts(remove: () => Promise<{ readonly numDeletedRows: bigint }>): Promise<void> {
  while ((await remove()).numDeletedRows === BigInt(maxTogether)) await new Promise((resolve) => setImmediate(resolve));
}
