import { parsePhysicalName } from '@millrace/events';
import { sql } from 'kysely';
import type { Database } from '@millrace/metadata/database';
import type { SchemaChange } from '../fields/dataset.js';

interface Row {
  readonly n: number;
  readonly dataset_id: number;
  readonly physical: string;
  readonly place: SchemaChange['where'];
}

const rowsAtOnce = 5000;

/**
 * Reads new fields of other processes: a table of the metadata has the newest ones in commit order,
 * so each process reads only those added since its last read.
 */
export class SchemaChangeFeed {
  readonly #database: Database;
  #last = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Begins to follow changes. The caller reads all fields after this call. */
  async begin(): Promise<void> {
    const { rows } = await sql<{ last: number | null }>`SELECT max(n) AS last FROM field_news`.execute(this.#database);
    this.#last = rows[0]?.last ?? 0;
  }

  /** New fields by dataset; undefined if some have been pruned, so that all have to be read. */
  async next(): Promise<ReadonlyMap<number, readonly SchemaChange[]> | undefined> {
    const found = new Map<number, SchemaChange[]>();
    for (let isMore = true; isMore;) {
      const { rows } = await sql<Row>`
        SELECT n, dataset_id, physical, place FROM field_news WHERE n > ${this.#last} ORDER BY n LIMIT ${rowsAtOnce}`.execute(
        this.#database,
      );
      if (found.size === 0 && rows.length > 0 && (await this.#isPruned())) return undefined;
      for (const { dataset_id, physical, place } of rows) {
        const parsed = parsePhysicalName(physical);
        if (parsed === undefined) continue;
        const list = found.get(dataset_id) ?? [];
        found.set(dataset_id, list);
        list.push({ ...parsed, where: place });
      }
      this.#last = rows.at(-1)?.n ?? this.#last;
      isMore = rows.length === rowsAtOnce;
    }
    return found;
  }

  /** Whether changes were removed that this process has not read. */
  async #isPruned(): Promise<boolean> {
    const { rows } = await sql<{ upTo: number }>`SELECT up_to AS "upTo" FROM field_news_pruned`.execute(this.#database);
    return (rows[0]?.upTo ?? 0) > this.#last;
  }
}
