import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { copyTables } from '../copy-tables.js';
import { databaseOver } from '../database.js';
import { openSqlite } from '../sqlite.js';
import { fillingMark, homeIn, sharedMark } from './home.js';
import { openPostgres } from './open-postgres.js';
import type { EventsPlace } from './shared-agreement.js';
import { PostgresUnfit } from './unfit.js';

interface Filling {
  readonly events: EventsPlace;
  /** No event has a higher one; those of new events are. */
  readonly position: bigint;
}

/** A database that is made into one that several nodes share. */
export interface FilledHome {
  /** What the nodes are going to be called together. */
  readonly cluster: string;
  /** Whether somebody before did not come to the end, and may have left tables of events. */
  readonly isAgain: boolean;
  /**
   * Gives it all that a file of metadata has: all of it or nothing. Nodes may be started from then
   * on.
   */
  fill(file: string, how: Filling): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes an empty database, or one that somebody took so who did not come to the end.
 * @throws MetadataError when it cannot be reached, PostgresUnfit when it is in use
 */
export async function openFilledHome(url: string): Promise<FilledHome> {
  const postgres = await openPostgres(url);
  const { database, openDuty, isWhereEventsAre } = postgres;
  try {
    // Held as long as the connection.
    const turn = await openDuty('restore');
    const close = async (): Promise<void> => {
      await turn.end();
      await postgres.shared.close();
    };
    await turn.beat();
    if (!turn.has) {
      await turn.end();
      throw new PostgresUnfit('another restore into it is under way');
    }
    const { mark, isAgain } = await database.transaction().execute(async (connection) => {
      const home = await homeIn(connection);
      if (home?.startsWith(fillingMark) === true) return { mark: home, isAgain: true };
      if (home !== undefined) throw new PostgresUnfit('it is in use; a restore needs an empty database, or schema');
      const made = `${fillingMark}${randomUUID()}`;
      await sql`INSERT INTO home VALUES (1, ${made})`.execute(connection);
      return { mark: made, isAgain: false };
    });
    const cluster = mark.slice(fillingMark.length);
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
            await sql`UPDATE home SET directory = ${`${sharedMark}${cluster}`}`.execute(connection);
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
