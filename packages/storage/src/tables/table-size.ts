import type { Engine } from '@millrace/engine';
import type { DatasetSize } from '@millrace/metadata/datasets/event-data';
import { quoteString } from '@millrace/sql';
import { databaseIn } from './database-name.js';
import { queryNumbers, queryReadyShards } from './query.js';
import { inSystem, quotedTable } from './table-of-dataset.js';

/** Size and time range, from the engine's metadata. */
export async function tableSize(engine: Engine, datasetId: number): Promise<DatasetSize> {
  const [[bytes = 0n, rawBytes = 0n] = []] = await queryNumbers(
    engine,
    'SELECT toInt64(sum(bytes_on_disk)), toInt64(sum(data_uncompressed_bytes)) FROM system.parts ' +
      `WHERE active AND ${inSystem(datasetId)}`,
    2,
  );
  // Counted in the table, because the statistics of its parts still include deleted rows.
  const [[rows = 0n, minTime = 0n, maxTime = 0n] = []] = await queryNumbers(
    engine,
    `SELECT toInt64(count()), toUnixTimestamp64Nano(min(_time)), toUnixTimestamp64Nano(max(_time)) FROM ${quotedTable(datasetId)}`,
    3,
  );
  const size = { rows: Number(rows), bytes: Number(bytes), rawBytes: Number(rawBytes) };
  return rows === 0n ? size : { ...size, minTime, maxTime };
}

/** Bytes of all tables that an engine shows, compressed, on disk or in a bucket. */
export async function storedBytes(engine: Engine): Promise<number> {
  const sql = `SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE active AND database = ${quoteString(databaseIn(engine))}`;
  const sums = await queryReadyShards(engine, (shard) => queryNumbers(shard, sql, 1));
  return sums.reduce((all, [bytes = 0n]) => all + Number(bytes), 0);
}
