import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import { queryNumbers } from './query.js';
import { inSystem } from './table-of-dataset.js';

/** How often the engine is queried. */
const askMilliseconds = 200;

/**
 * Waits until the engine works on no deletion of a dataset. A deletion interrupted by the end of
 * the engine resumes when the engine is back, perhaps for minutes. Failed ones are not waited for:
 * the engine retries them indefinitely.
 */
export async function deletionsOver(engine: Engine, datasetId: number): Promise<void> {
  const sql =
    'SELECT toInt64(count()) FROM system.mutations ' +
    `WHERE ${inSystem(datasetId)} AND NOT is_done AND latest_fail_reason = ''`;
  while ((await queryNumbers(engine, sql, 1))[0]?.[0] !== 0n) await pause(askMilliseconds);
}
