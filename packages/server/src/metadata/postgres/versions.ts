import type { Pool } from 'pg';
import { problemOf } from './problem.js';

/**
 * Finds out what has been changed, here or by another process. One look serves all who ask before
 * it begins.
 */
export class Versions {
  readonly #pool: Pool;
  readonly #changed: (names: ReadonlySet<string>) => Promise<void>;
  #known: ReadonlyMap<string, number> = new Map();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /**
   * @param changed brings what is held in memory up to date; the names are those of tables and
   * collections
   */
  constructor(pool: Pool, changed: (names: ReadonlySet<string>) => Promise<void>) {
    this.#pool = pool;
    this.#changed = changed;
  }

  /**
   * Resolved when everything that was committed before the call is known.
   * @throws MetadataError
   */
  look(): Promise<void> {
    // Whoever comes while a look is under way needs another one: that one may have read what was
    // before.
    this.#next ??= this.#running.then(() => {
      const look = this.#look();
      this.#next = undefined;
      this.#running = look.catch(() => undefined);
      return look;
    });
    return this.#next;
  }

  async #look(): Promise<void> {
    const { rows } = await this.#pool
      .query<{ name: string; version: number }>('SELECT name, version FROM versions')
      .catch((error: unknown) => {
        throw problemOf(error);
      });
    const names = rows.filter(({ name, version }) => this.#known.get(name) !== version).map(({ name }) => name);
    if (names.length === 0) return;
    // Known only when it has been acted upon: after a failure the next look finds it again.
    await this.#changed(new Set(names));
    this.#known = new Map(rows.map(({ name, version }) => [name, version]));
  }
}
