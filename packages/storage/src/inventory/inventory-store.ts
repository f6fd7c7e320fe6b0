import { sql } from 'kysely';
import type { Connection, Database } from '@millrace/metadata/database';
import { spellingOf } from '@millrace/metadata/sql-dialect';

/** Events of a partition that were stored and are lost: they were not deleted. */
export interface MissingEvents {
  readonly datasetId: number;
  /** `20261120`, `20261100` for a month, `20260000` for a year. */
  readonly partition: number;
  readonly events: number;
  /** When it was detected; RFC 3339. */
  readonly since: string;
}

export interface Count {
  readonly datasetId: number;
  readonly partition: number;
  readonly rows: number;
}

/** Minimum row counts of partitions, and missing rows, in the metadata. */
export class InventoryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<{ readonly counts: readonly Count[]; readonly missing: readonly MissingEvents[] }> {
    const counts = await this.#database.selectFrom('partition_rows').selectAll().execute();
    const missing = await this.#database.selectFrom('missing_rows').selectAll().execute();
    return {
      counts: counts.map(({ dataset_id, partition, rows }) => ({ datasetId: dataset_id, partition, rows })),
      missing: missing.map(({ dataset_id, partition, rows, since }) => ({
        datasetId: dataset_id,
        partition,
        events: rows,
        since,
      })),
    };
  }

  /** Writes all of it atomically. */
  async write(counts: readonly Count[], missing: readonly MissingEvents[]): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      const rows = counts.map(({ datasetId, partition, rows }) => [datasetId, partition, rows]);
      await sql`
        INSERT INTO partition_rows (dataset_id, partition, rows)
        SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), CAST(value ->> 2 AS BIGINT)
        FROM ${spellingOf(transaction).listsOf(rows)} WHERE true
        ON CONFLICT (dataset_id, partition) DO UPDATE SET rows = excluded.rows`.execute(transaction);
      for (const { datasetId, partition, events, since } of missing)
        await transaction
          .insertInto('missing_rows')
          .values({ dataset_id: datasetId, partition, rows: events, since })
          .onConflict((conflict) => conflict.columns(['dataset_id', 'partition']).doUpdateSet({ rows: events }))
          .execute();
    });
  }

  /** Deletes the row counts of partitions, durably. */
  async forgetCounts(datasetId: number, partitions: readonly number[]): Promise<void> {
    const listed = spellingOf(this.#database).rowsOf(partitions.map(String));
    await sql`
      DELETE FROM partition_rows
      WHERE dataset_id = ${datasetId} AND partition IN (SELECT CAST(value AS BIGINT) FROM ${listed})`.execute(
      this.#database,
    );
  }

  /** Deletes the state of a deleted dataset. */
  async forget(datasetId: number): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('partition_rows').where('dataset_id', '=', datasetId).execute();
      await transaction.deleteFrom('missing_rows').where('dataset_id', '=', datasetId).execute();
    });
  }

  /** Accepts the loss of missing rows. */
  async accept(): Promise<void> {
    await this.#database.deleteFrom('missing_rows').execute();
  }

  /**
   * For a directory restored from a backup: no partition has been counted yet, and no row is
   * missing.
   */
  async clear(connection: Connection = this.#database): Promise<void> {
    await connection.deleteFrom('partition_rows').execute();
    await connection.deleteFrom('missing_rows').execute();
  }
}
