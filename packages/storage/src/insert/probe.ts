import type { Engine } from '@millrace/engine';
import { nativeBlocks, TIME_COLUMN } from '@millrace/events';
import { idBeforeFirst } from '@millrace/metadata/orgs/org-number';
import { createTable, dropTable, systemColumns, tableOf } from '../tables/table-of-dataset.js';

/**
 * No dataset of the organization has this ID. A crash may leave the table; no query reads it, and
 * the next probe removes it.
 */
const probedId = ({ tenant = 0 }: Engine): number => idBeforeFirst(tenant);

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
  const datasetId = probedId(engine);
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
