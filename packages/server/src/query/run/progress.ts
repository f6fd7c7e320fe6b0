import { type Engine, shardsOf } from '@millrace/engine';

/** How far queries have come. */

/**
 * The engine offers no way to name a statement, but shows the settings of running ones. This
 * setting means nothing as long as the engine's own query cache is off, and nothing turns it on.
 */
const markSetting = 'query_cache_tag';

/** The settings by which the statements of a query are found while they run. */
export const marked = (id: string): Readonly<Record<string, string>> => ({ [markSetting]: id });

export interface Progress {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /**
   * How many rows the statements that run at the moment read altogether, as far as the engine knows
   * by now.
   */
  readonly rowsTotal?: number;
}

/** Whoever looks at a list does not wait longer for what decorates it. */
const mostMilliseconds = 1000;

const sql =
  `SELECT Settings['${markSetting}'] AS id, toFloat64(sum(read_rows)) AS rows, toFloat64(sum(read_bytes)) AS bytes, ` +
  `toFloat64(sum(total_rows_approx)) AS total FROM system.processes WHERE id != '' GROUP BY id`;

interface Row {
  readonly id: string;
  readonly rows: number;
  readonly bytes: number;
  readonly total: number;
}

/**
 * The progress of the queries that run, by the id of each. Empty if the engine does not tell in
 * time: it is busy, or may not be asked this.
 */
export async function progressIn(engine: Engine): Promise<ReadonlyMap<string, Progress>> {
  // A query runs on one shard.
  const found = await Promise.all(shardsOf(engine).map(progressOn));
  return new Map(found.flatMap((progress) => [...progress]));
}

async function progressOn(engine: Engine): Promise<ReadonlyMap<string, Progress>> {
  const chunks: Uint8Array[] = [];
  try {
    // A stream, since those have sessions of their own: the others may all be taken by the queries
    // that this is about.
    const signal = AbortSignal.timeout(mostMilliseconds);
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
