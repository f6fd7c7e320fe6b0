import type { Engine } from '@millrace/engine';
import { call, column, literal, printQuery, quoteIdentifier, quoteString, select } from '@millrace/sql';
import { tableOf } from './table.js';

/** Whole datasets out of the engine and into it, column by column as they are stored. */

/** All rows of a dataset that came with batches up to a position. */
export function snapshotQuery(datasetId: number, upTo: bigint): string {
  const { database, table } = tableOf(datasetId);
  return printQuery(
    select({
      columns: [{ expr: { kind: 'star' } }],
      from: { kind: 'table', database, name: table },
      where: call('lessOrEquals', column('_seq'), literal(upTo)),
      settings: { output_format_parquet_compression_method: 'zstd' },
    }),
  );
}

/** Puts the rows of a snapshot file into the table of a dataset, which has all its columns. */
export async function loadSnapshot(engine: Engine, datasetId: number, path: string): Promise<void> {
  const { database, table } = tableOf(datasetId);
  await engine.execute(
    `INSERT INTO ${quoteIdentifier(database)}.${quoteIdentifier(table)} SELECT * FROM file(${quoteString(path)}, 'Parquet')`,
  );
}
