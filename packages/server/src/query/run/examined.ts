import type { QueryAnswer } from '@millrace/engine';
import { Recent } from '../../memory/recent.js';
import { textAt, valuesOf } from './columns.js';

/** Bytes for all that is remembered: a few thousand questions of common length. */
const room = 4 * 2 ** 20;
/** Bytes of an answer, which is a few numbers, and of what holds it. */
const answerBytes = 1024;

interface Known {
  readonly version: string;
  readonly answer: QueryAnswer;
  /** With the question: its text, which it is found by, is as long as the query. */
  readonly bytes: number;
}

/**
 * How many rows there are in a range and how many of them match. Every query asks this, and every
 * page of one, mostly with the same answer as before, so the engine is asked again only when the
 * version of the data has changed.
 */
export class Examined {
  readonly #known = new Recent<string, Known>(room, ({ bytes }) => bytes);

  /** What all that is remembered takes. */
  get bytes(): number {
    return this.#known.size;
  }

  /**
   * The answer for a version of the data. As for cached results, the version has to be read before
   * the question is asked.
   * @param version undefined if it is not known; then the engine is always asked
   */
  async get(
    sql: string,
    version: string | undefined,
    ask: (sql: string) => Promise<QueryAnswer>,
  ): Promise<QueryAnswer> {
    if (version === undefined) return ask(sql);
    const found = this.#known.get(sql);
    if (found?.version === version) return found.answer;
    const answer = await ask(sql);
    this.#known.set(sql, { version, answer, bytes: answerBytes + 2 * sql.length });
    return answer;
  }
}

/** The first number of an answer. */
export const countOf = ({ columns }: QueryAnswer): number =>
  Number(textAt(valuesOf(columns[0]?.values ?? new Uint8Array(), 1), 0));
