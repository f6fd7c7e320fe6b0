import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { copyTables } from '../copy-tables.js';
import { databaseOver } from '../database.js';
import { openSqlite } from '../sqlite.js';
import { restoringPrefix, readDatabaseHome, sharedPrefix } from './database-binding.js';
import { openPostgres } from './open-postgres.js';
import type { EventsPlace } from './shared-coordination.js';
import { IncompatibleDatabaseError } from './incompatible-database.js';

interface FillOptions {
  readonly events: EventsPlace;
  /** The highest position of any event; new events get higher ones. */
  readonly position: bigint;
}

/** A new database for several nodes, to be filled by a restore. */
export interface FilledHome {
  /** Name of the group of nodes. */
  readonly cluster: string;
  /** Whether an earlier restore did not finish, and may have left tables of events. */
  readonly isAgain: boolean;
  /** Copies a file of metadata into the database, atomically. Nodes may be started from then on. */
  fill(file: string, how: FillOptions): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens an empty database, or one that an earlier restore opened and did not finish.
 * @throws MetadataError when it cannot be reached, IncompatibleDatabaseError when it is in use
 */
export async function openFilledHome(url: string): Promise<FilledHome> {
  const postgres = await openPostgres(url);
  const { database, openElection, isWhereEventsAre } = postgres;
  try {
    // Locked as long as the connection is open.
    const turn = await openElection('restore');
    const close = async (): Promise<void> => {
      await turn.end();
      await postgres.shared.close();
    };
    await turn.heartbeat();
    if (!turn.isLeader) {
      await turn.end();
      throw new IncompatibleDatabaseError('another restore into it is running');
    }
    const { mark, isAgain } = await database.transaction().execute(async (connection) => {
      const home = await readDatabaseHome(connection);
      if (home?.startsWith(restoringPrefix) === true) return { mark: home, isAgain: true };
      if (home !== undefined)
        throw new IncompatibleDatabaseError('it is in use; a restore needs an empty database, or schema');
      const made = `${restoringPrefix}${randomUUID()}`;
      await sql`INSERT INTO home VALUES (1, ${made})`.execute(connection);
      return { mark: made, isAgain: false };
    });
    const cluster = mark.slice(restoringPrefix.length);
    return {
      cluster,
      isAgain,
      fill: async (file, { events, position }) => {
        await isWhereEventsAre(events);
        const sqlite = databaseOver(openSqlite(file));
        await database
          .transaction()
          .execute(async (connection) => {
            await copyTables(sqlite, connection);
            await sql`UPDATE arrival_order SET last = greatest(last, CAST(${String(position)} AS BIGINT))`.execute(
              connection,
            );
            await sql`UPDATE home SET directory = ${`${sharedPrefix}${cluster}`}`.execute(connection);
          })
          .finally(() => sqlite.destroy());
      },
      close,
    };
  } catch (error) {
    await postgres.shared.close();
    throw error;
  }
}
