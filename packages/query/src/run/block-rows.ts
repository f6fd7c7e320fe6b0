import type { Settings } from '@millrace/engine';

/**
 * Smaller blocks cost more than they compute. At 256 rows, 100,000 calls are 25 million values.
 */
const minRows = 256;
/** The engine's own block size; smaller statements keep it. */
const engineRows = 65_409;

/**
 * Settings that keep a wide statement stoppable. The engine notices a cancellation only between two
 * blocks of rows, and a block takes as long as its rows times the calls per row: with thousands of
 * aggregates a block of the usual size takes a minute.
 * @param max maximum values computed between two blocks
 */
export function blockSettings(sql: string, max: number): Settings {
  const rows = Math.max(minRows, Math.floor(max / (1 + countCalls(sql))));
  return rows >= engineRows ? {} : { max_block_size: rows };
}

/** Brackets, which also count those in texts: an estimate that is never too low. */
function countCalls(sql: string): number {
  let calls = 0;
  for (let at = sql.indexOf('('); at !== -1; at = sql.indexOf('(', at + 1)) calls += 1;
  return calls;
}
