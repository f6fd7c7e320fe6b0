import { type Engine, shardsOf } from '@millrace/engine';

/** Progress of queries. */

/**
 * The engine offers no way to name a statement, but shows the settings of running ones. This
 * setting means nothing as long as the engine's own query cache is off, and nothing turns it on.
 */
const progressSetting = 'query_cache_tag';

/** The settings by which the statements of a query are found while they run. */
export const progressSettings = (id: string): Readonly<Record<string, string>> => ({ [progressSetting]: id });

export interface Progress {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /**
   * The total number of rows that the running statements will read, by the engine's current
   * estimate.
   */
  readonly rowsTotal?: number;
}

/** Maximum wait for optional details of a list. */
const timeoutMilliseconds = 1000;

const sql =
  `SELECT Settings['${progressSetting}'] AS id, toFloat64(sum(read_rows)) AS rows, toFloat64(sum(read_bytes)) AS bytes, ` +
  `toFloat64(sum(total_rows_approx)) AS total FROM system.processes WHERE id != '' GROUP BY id`;

interface Row {
  readonly id: string;
  readonly rows: number;
  readonly bytes: number;
  readonly total: number;
}

/**
 * The progress of running queries by ID. Empty if the engine does not respond in time, or does not
 * allow the query.
 */
export async function progressIn(engine: Engine): Promise<ReadonlyMap<string, Progress>> {
  // A query runs on one shard.
  const found = await Promise.all(shardsOf(engine).map(progressOn));
  return new Map(found.flatMap((progress) => [...progress]));
}

async function progressOn(engine: Engine): Promise<ReadonlyMap<string, Progress>> {
  const chunks: Uint8Array[] = [];
  try {
    // Uses a stream because streams have separate sessions; the running queries may occupy all
    // others.
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    for await (const chunk of engine.stream(sql, { format: 'JSONEachRow', signal })) chunks.push(chunk);
  } catch {
    return new Map();
  }
  const lines = Buffer.concat(chunks)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const { id, rows, bytes, total } = JSON.parse(line) as Row;
      return [id, { rowsRead: rows, bytesRead: bytes, ...(total >= rows && total > 0 && { rowsTotal: total }) }];
    }),
  );
}
