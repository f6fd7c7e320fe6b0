import type { QueryAnswer } from '@millrace/engine';
import { Recent } from '../recent.js';

/** Questions that are remembered; each answer is a few numbers. */
const maxRemembered = 1000;

interface Known {
  readonly version: string;
  readonly answer: QueryAnswer;
}

/**
 * How many rows there are in a range and how many of them match: asked with every query and with every page of one, and mostly the same as before,
 * so it is asked again only when the data has another version.
 */
export class Examined {
  readonly #known = new Recent<string, Known>(maxRemembered);

  /**
   * The answer for a version of the data, which has to be read before the question, as for cached results.
   * @param version undefined: not known, so always asked
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
    this.#known.set(sql, { version, answer });
    return answer;
  }
}
