import type { EngineResult } from '@millrace/engine';
import type { Query } from '@millrace/sql';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import { textAt, valuesOf } from './columns.js';
import { statementText } from './statement-text.js';

/** Bytes of the cache: a few thousand statements of common length. */
const room = 4 * 2 ** 20;
/** Bytes of a result, which is a few numbers, including overhead. */
const answerBytes = 1024;

interface CachedResult {
  readonly version: string;
  readonly answer: EngineResult;
  /** Including the key: the text of the statement, which is as long as the query. */
  readonly bytes: number;
}

/**
 * Caches how many rows are in a range and how many of them match. Every query and every page needs
 * this, mostly with the same result, so the engine is queried again only when the version of the
 * data has changed.
 */
export class RowCountCache {
  readonly #cache = new LruCache<string, CachedResult>(room, ({ bytes }) => bytes);

  /** Bytes of all cached entries. */
  get bytes(): number {
    return this.#cache.size;
  }

  /**
   * The count for a version of the data. As for cached results, read the version before the query
   * runs.
   * @param version undefined if it is not known; then the engine is always queried
   */
  async get(
    query: Query,
    version: string | undefined,
    runStatement: (query: Query) => Promise<EngineResult>,
  ): Promise<EngineResult> {
    if (version === undefined) return runStatement(query);
    const sql = statementText(query);
    const found = this.#cache.get(sql);
    if (found?.version === version) return found.answer;
    const answer = await runStatement(query);
    this.#cache.set(sql, { version, answer, bytes: answerBytes + 2 * sql.length });
    return answer;
  }
}

/** The first number of a result. */
export const countOf = ({ columns }: EngineResult): number =>
  Number(textAt(valuesOf(columns[0]?.values ?? new Uint8Array(), 1), 0));
