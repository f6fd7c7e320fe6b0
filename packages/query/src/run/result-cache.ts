import type { CompiledQuery } from '@millrace/apl';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { QueryOutcome } from './outcome.js';
import { statementText } from './statement-text.js';
import { type Statements, statementsOf } from './statements.js';

/** The result without the parts that belong to one request. */
type CachedOutcome = Omit<QueryOutcome, 'compiled' | 'cached'>;

interface Entry {
  readonly version: string;
  readonly found: CachedOutcome;
  readonly bytes: number;
}

/** Maximum size of a result, as a fraction of the cache. */
const largestShare = 8;

/**
 * Cache of query results, by the text of their SQL; valid as long as the data they read is
 * unchanged. The version of the data is read before the query runs, and changes only after new
 * events can be read, so a result is never labeled newer than it is.
 */
export class ResultCache {
  readonly #maxBytes: number;
  readonly #entries: LruCache<string, Entry>;

  /** @param maxBytes total size of all results; 0 disables the cache */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#entries = new LruCache(maxBytes, ({ bytes }) => bytes);
  }

  get bytes(): number {
    return this.#entries.size;
  }

  /**
   * The result for a version of the data: the cached one, or the result of `run`, which is cached
   * unless it is partial.
   */
  async get(
    compiled: CompiledQuery,
    version: string,
    counted: boolean,
    run: () => Promise<QueryOutcome>,
  ): Promise<QueryOutcome> {
    const statements = statementsOf(compiled);
    if (this.#maxBytes === 0 || !statements.repeatable) return run();
    const key = keyOf(statements, compiled, counted);
    const entry = this.#entries.get(key);
    if (entry?.version === version) return { ...entry.found, compiled, cached: true };
    const { compiled: _, cached: __, ...found } = await run();
    if (!found.partial) this.#keep(key, { version, found, bytes: sizeOf(found) + 2 * key.length });
    return { ...found, compiled, cached: false };
  }

  #keep(key: string, entry: Entry): void {
    if (entry.bytes <= this.#maxBytes / largestShare) this.#entries.set(key, entry);
    else this.#entries.delete(key);
  }
}

/**
 * The columns are part of the key: a string and the array with this JSON have the same SQL, and so
 * may an integer and a timespan. So is the order of ties, which the SQL does not say.
 */
function keyOf({ rows, totals, counts }: Statements, { output, tiesAsSent }: CompiledQuery, counted: boolean): string {
  const columns = JSON.stringify([tiesAsSent, ...output.map(({ types, agg }) => [types, agg])]);
  const read = [rows, ...(totals === undefined ? [] : [totals])].map(statementText);
  if (!counted || counts === undefined) return [...read, columns].join('\n');
  const examined = counts.examined.inRange?.count ?? counts.examined.all;
  const matched = counts.matched.kind === 'query' ? statementText(counts.matched.query) : '';
  return [...read, columns, statementText(examined), matched].join('\n');
}

function sizeOf({ table, totals, rowIds, arrivals }: CachedOutcome): number {
  const hidden = [rowIds, arrivals].flatMap((column) => column ?? []);
  const columns = [...table.columns, ...(totals?.columns ?? []), ...hidden];
  // Columns are views that keep the complete result in memory; it is about as large as its columns
  // together.
  return columns.reduce((sum, column) => sum + column.byteLength, 512);
}
