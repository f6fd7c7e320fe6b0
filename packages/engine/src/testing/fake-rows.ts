import type { Engine, Insert } from '../engine.js';
import type { ClusterTimes } from '../cluster/cluster-engine.js';

/** Tables, inserts and queries for tests with replicas in memory. */

/** Short times: replicas in memory are fast. */
export const scriptedTimes: ClusterTimes = {
  watchMilliseconds: 2,
  silentMilliseconds: 12,
  busyMilliseconds: 300,
  readOnlyMilliseconds: 12,
  stuckMilliseconds: 12,
  returnMilliseconds: 12,
  // Never reached, however slow the machine is.
  syncMilliseconds: 8000,
  patienceMilliseconds: 8000,
  pauseMilliseconds: 1,
  closeMilliseconds: 100,
};
export const scriptedDatabase = 'm';

const tableOf = (n: number) => ({ database: scriptedDatabase, table: `d${n}` });

/** Creates a table unless it exists. */
export const makeTable = (engine: Engine, n: number): Promise<void> =>
  engine.execute(`CREATE TABLE IF NOT EXISTS \`m\`.\`d${n}\` (rows)`, { everywhere: true, defines: tableOf(n) });

export const insertOf = (n: number, rows: readonly number[], token: string): Insert => ({
  table: tableOf(n),
  columns: [{ name: 'rows', type: 'UInt64' }],
  chunks: [Buffer.from(rows.join(' '))],
  token,
});

/** The numbers that a query returns, in order. */
export async function numbersOf(engine: Engine, sql: string): Promise<readonly number[]> {
  const { body } = await engine.query(sql, { format: 'TabSeparated' });
  const lines = Buffer.from(body).toString('utf8').split('\n').slice(0, -1);
  return lines.map(Number).toSorted((a, b) => a - b);
}

export const rowsOf = (engine: Engine, n: number): Promise<readonly number[]> =>
  numbersOf(engine, `SELECT rows FROM \`m\`.\`d${n}\``);
