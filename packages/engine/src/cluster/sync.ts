import { setTimeout as sleep } from 'node:timers/promises';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import type { Replica } from './replica.js';

/** Syncs replicas with what was acknowledged on others. */

/** Tables that are synced at once. */
const atOnce = 8;
const pollMilliseconds = 50;

/**
 * Waits until a replica has everything of some tables that was in Keeper's log when this began:
 * parts, schema changes, and deletions.
 * @throws EngineError
 */
export async function syncReplica(
  replica: Replica,
  database: string,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const left = [...tables];
  const one = async (): Promise<void> => {
    for (let table = left.shift(); table !== undefined; table = left.shift()) {
      // Waits for inserts and drops only, not for merges.
      await replica.run(
        `SYSTEM SYNC REPLICA ${quoteIdentifier(database)}.${quoteIdentifier(table)} LIGHTWEIGHT`,
        {},
        signal,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tables.length) }, one));
  while (tables.length > 0 && (await countPending(replica, database, tables, signal)) > 0)
    await sleep(pollMilliseconds, undefined, { signal });
}

/**
 * The error of a statement whose replica could not be synced.
 * @param within signal that may have ended the sync
 */
export function syncError(
  error: unknown,
  replica: Pick<Replica, 'lost'>,
  within: AbortSignal,
  milliseconds: number,
): EngineError {
  const failure = error instanceof EngineError ? error.detail : String(error);
  const ended = replica.lost.aborted ? 'it does not answer any more' : `not in ${milliseconds} ms`;
  const reason = within.aborted ? ended : failure;
  return new EngineError('unavailable', `a replica cannot be synced: ${reason}`, 'elsewhere');
}

/** Number of schema changes and deletions that the replica has not applied yet. */
async function countPending(
  replica: Replica,
  database: string,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const about = `database = ${quoteString(database)} AND table IN (${tables.map(quoteString).join(', ')})`;
  const [row] = await replica.lines(
    `SELECT (SELECT count() FROM system.replication_queue WHERE ${about} AND type = 'ALTER_METADATA') + ` +
      `(SELECT count() FROM system.mutations WHERE ${about} AND NOT is_done AND NOT is_killed AND latest_fail_reason = '')`,
    signal,
  );
  return Number(row?.[0]);
}
