import { type Engine, EngineError, type EngineResult, type MovedRows, type QueryOptions } from '@millrace/engine';
import { databaseIn } from '@millrace/storage/tables/database-name';
import { queryNumbers } from '@millrace/storage/tables/query';
import { divideQuery, type MovedQuery, printQuery, type Query, quoteString, tablesOf } from '@millrace/sql';
import { statementText } from './statement-text.js';

/**
 * Queries over tables of several shards: each shard runs the parts over its own tables, and their
 * rows move to the shard with the most rows, which runs the rest.
 */

/** The rows of a query's parts on other shards have more bytes than may move. */
export class TooManyMovedBytes extends Error {
  override readonly name = 'TooManyMovedBytes';
  readonly limit: number;

  constructor(limit: number) {
    super(`the rows to move between shards have more than ${limit} bytes`);
    this.limit = limit;
  }
}

/** A statement for one shard. */
interface LocalStatement {
  readonly sql: string;
  readonly moved: readonly MovedRows[];
  /** Rows that other shards read. */
  readonly rowsRead: number;
}

type PartOptions = Omit<QueryOptions, 'format' | 'moved'>;

/** Moves rows between shards for the statements of one query. */
export class AcrossShards {
  readonly #engine: Engine;
  readonly #maxBytes: number;
  #largest: Promise<number> | undefined;

  /** @param maxBytes limit of the rows that move for one statement */
  constructor(engine: Engine, maxBytes: number) {
    this.#engine = engine;
    this.#maxBytes = maxBytes;
  }

  /**
   * The statement of a query, with the rows of its parts on other shards.
   * @throws EngineError; TooManyMovedBytes
   */
  async localize(query: Query, options: PartOptions): Promise<LocalStatement> {
    const { sharding } = this.#engine;
    const whole: LocalStatement = { sql: statementText(query), moved: [], rowsRead: 0 };
    if (sharding === undefined) return whole;
    const database = databaseIn(this.#engine);
    const tables = tablesOf(query);
    const placeOf = (table: string): number => sharding.shards.indexOf(sharding.of({ database, table }));
    if (new Set([...tables].map(placeOf)).size < 2) return whole;
    this.#largest ??= this.#largestOf(tables, placeOf, database);
    const divided = divideQuery(query, placeOf, await this.#largest);
    const settings = { ...options.settings, ...(query.kind === 'select' && query.settings) };
    return {
      sql: printQuery(divided.query),
      ...(await this.#gather(divided.moved, { ...options, settings }, this.#maxBytes)),
    };
  }

  /** The place with the most rows of some tables. */
  async #largestOf(tables: ReadonlySet<string>, placeOf: (table: string) => number, database: string): Promise<number> {
    const { shards } = this.#engine.sharding!;
    const list = [...tables].map(quoteString).join(', ');
    const sql = `SELECT toInt64(sum(rows)) FROM system.parts WHERE active AND database = ${quoteString(database)} AND table IN (${list})`;
    const places = [...new Set([...tables].map(placeOf))];
    const rows = await Promise.all(
      places.map(async (place) => {
        const [[count = 0n] = []] = await queryNumbers(shards[place]!, sql, 1);
        return { place, count: Number(count) };
      }),
    );
    return rows.reduce((most, one) => (one.count > most.count ? one : most)).place;
  }

  /** Runs parts side by side; each may use an equal share of the bytes. */
  async #gather(
    parts: readonly MovedQuery[],
    options: PartOptions,
    bytes: number,
  ): Promise<Pick<LocalStatement, 'moved' | 'rowsRead'>> {
    const share = Math.floor(bytes / Math.max(1, parts.length));
    const found = await Promise.all(
      parts.map(async (part) => {
        const { moved, rowsRead } = await this.#gather(part.moved, options, share);
        const { body, statistics } = await this.#rowsOf(part, { ...options, moved }, share);
        return { rows: { name: part.name, rows: body }, rowsRead: rowsRead + statistics.rowsRead };
      }),
    );
    return {
      moved: found.map(({ rows }) => rows),
      rowsRead: found.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    };
  }

  async #rowsOf({ query }: MovedQuery, options: Omit<QueryOptions, 'format'>, maxBytes: number): Promise<EngineResult> {
    const limits = { ...options.limits, maxResultBytes: maxBytes };
    const result = await this.#engine
      .query(printQuery(query), { ...options, limits, format: 'RowBinaryWithNamesAndTypes' })
      .catch((error: unknown) => {
        throw error instanceof EngineError && error.code === 'result-limit' ? this.#tooMany() : error;
      });
    if (result.body.byteLength > maxBytes) throw this.#tooMany();
    return result;
  }

  #tooMany(): TooManyMovedBytes {
    return new TooManyMovedBytes(this.#maxBytes);
  }
}
