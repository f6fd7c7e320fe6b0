import type { Pool } from 'pg';
import { Singleflight } from '@millrace/runtime/async/singleflight';
import { knows, outdated, thisProgram } from './migrate.js';
import { problemOf } from './problem.js';
import type { Watermark } from './watermark.js';

/** Detects changes by this or another process. */
export class Versions {
  readonly #pool: Pool;
  readonly #changed: (names: ReadonlySet<string>) => Promise<void>;
  readonly #watermark: Watermark;
  readonly #looks: Singleflight<void>;
  #known: ReadonlyMap<string, string> = new Map();

  /** @param changed refreshes the data in memory; the names are those of tables and collections */
  constructor(pool: Pool, changed: (names: ReadonlySet<string>) => Promise<void>, watermark: Watermark) {
    this.#pool = pool;
    this.#watermark = watermark;
    this.#changed = changed;
    this.#looks = new Singleflight(() => this.#check());
  }

  /**
   * Resolves when everything committed before the call is loaded.
   * @throws MetadataError
   */
  check(): Promise<void> {
    return this.#looks.get();
  }

  async #check(): Promise<void> {
    const { rows } = await this.#pool.query<Seen>(looking).catch((error: unknown) => {
      throw problemOf(error);
    });
    const works = (list: string): number =>
      Number(rows.find(({ kind, name }) => kind === 'works with' && name === list)?.n ?? 0);
    if (!knows(thisProgram, { common: works('common'), own: works('own') })) throw outdated();
    const versions = new Map(rows.flatMap(({ kind, name, n }) => (kind === 'version' ? [[name, n] as const] : [])));
    const names = [...versions.keys()].filter((name) => this.#known.get(name) !== versions.get(name));
    if (names.length > 0) {
      // Recorded only after the changes were applied: after a failure the next check finds them
      // again.
      await this.#changed(new Set(names));
      this.#known = versions;
    }
    // Last: fields of stored events are known by now.
    const last = rows.find(({ kind }) => kind === 'last')?.n ?? '0';
    const underWay = rows.filter(({ kind }) => kind === 'under way');
    this.#watermark.note(BigInt(last), new Map(underWay.map(({ name, n }) => [Number(name), BigInt(n)])));
  }
}

interface Seen {
  readonly kind: 'version' | 'works with' | 'last' | 'under way';
  readonly name: string;
  readonly n: string;
}

/** A single statement, for a consistent snapshot. */
const looking = `
  SELECT 'version' AS kind, name, CAST(version AS TEXT) AS n FROM versions
  UNION ALL SELECT 'works with', 'common', CAST(common AS TEXT) FROM works_with
  UNION ALL SELECT 'works with', 'own', CAST(own AS TEXT) FROM works_with
  UNION ALL SELECT 'last', '', CAST(last AS TEXT) FROM arrival_order
  UNION ALL SELECT 'under way', CAST(dataset_id AS TEXT), CAST(min(first) AS TEXT) FROM arrivals
    WHERE done IS NULL GROUP BY dataset_id`;
