import type { Engine } from '@millrace/engine';
import { nativeBlocks, TIME_COLUMN } from '@millrace/events';
import { createTable, dropTable, systemColumns, tableOf } from '../tables/table-of-dataset.js';

/**
 * Dataset IDs begin at 1, so no other table has this one. A crash may leave the table; no query
 * reads it, and the next probe removes it.
 */
const datasetId = 0;

const row = {
  seq: 0n,
  arrival: 0n,
  block: {
    rows: 1,
    columns: [{ name: TIME_COLUMN, type: systemColumns.get(TIME_COLUMN)!.type, data: new Uint8Array(8) }],
  },
};

/**
 * Probe insert: whether the engine accepts a row in a temporary table. Only one probe may run at a
 * time. Never rejects.
 */
export async function probeInsert(engine: Engine): Promise<boolean> {
  const { columns, chunks } = nativeBlocks([row]);
  try {
    await dropTable(engine, datasetId);
    await createTable(engine, datasetId);
    await engine.insert({ table: tableOf(datasetId), columns, chunks });
    return true;
  } catch {
    return false;
  } finally {
    await dropTable(engine, datasetId).catch(() => undefined);
  }
}
