import type { Compiled } from '@millrace/apl';
import { Recent } from '../../memory/recent.js';
import type { QueryOutcome } from './execute.js';
import { type Statements, statementsOf } from './statements.js';

/** What was found, without what belongs to one request. */
type Found = Omit<QueryOutcome, 'compiled' | 'cached'>;

interface Entry {
  readonly version: string;
  readonly found: Found;
  readonly bytes: number;
}

/** No result takes more than the room divided by this. */
const largestShare = 8;

/**
 * Results of queries, kept by the text of their SQL and valid as long as the data they read is
 * unchanged. The version of the data is read before the query runs, and changes only after new
 * events can be read, so a result is never taken for newer than it is.
 */
export class ResultCache {
  readonly #maxBytes: number;
  readonly #entries: Recent<string, Entry>;

  /** @param maxBytes room for all results together; 0 keeps none */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#entries = new Recent(maxBytes, ({ bytes }) => bytes);
  }

  get bytes(): number {
    return this.#entries.size;
  }

  /**
   * The result for a version of the data: kept, or found by `run` and kept unless it is partial.
   */
  async get(
    compiled: Compiled,
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
 * The columns are part of it: a text and the array that it is the JSON of have the same SQL, and so
 * may a whole number and a timespan.
 */
function keyOf({ answer, totals, counts }: Statements, { output }: Compiled, counted: boolean): string {
  const columns = JSON.stringify(output.map(({ types, agg }) => [types, agg]));
  if (!counted || counts === undefined) return [answer, totals, columns].join('\n');
  return [
    answer,
    totals,
    columns,
    counts.examined.inRange?.count ?? counts.examined.all,
    counts.matched.kind === 'query' ? counts.matched.sql : '',
  ].join('\n');
}

function sizeOf({ table, totals, rowIds, arrivals }: Found): number {
  const hidden = [rowIds, arrivals].flatMap((column) => column ?? []);
  const columns = [...table.columns, ...(totals?.columns ?? []), ...hidden];
  // Columns are views that keep the whole answer they were cut from in memory; it is about as large
  // as its columns together.
  return columns.reduce((sum, column) => sum + column.byteLength, 512);
}
