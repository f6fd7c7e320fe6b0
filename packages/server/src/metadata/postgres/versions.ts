import type { Pool } from 'pg';
import { SharedLook } from '../../async/shared-look.js';
import { knows, outdated, thisProgram } from './migrate.js';
import { problemOf } from './problem.js';
import type { Settled } from './settled.js';

/** Finds out what has been changed, here or by another process. */
export class Versions {
  readonly #pool: Pool;
  readonly #changed: (names: ReadonlySet<string>) => Promise<void>;
  readonly #settled: Settled;
  readonly #looks: SharedLook<void>;
  #known: ReadonlyMap<string, string> = new Map();

  /**
   * @param changed brings what is held in memory up to date; the names are those of tables and
   *   collections
   */
  constructor(pool: Pool, changed: (names: ReadonlySet<string>) => Promise<void>, settled: Settled) {
    this.#pool = pool;
    this.#settled = settled;
    this.#changed = changed;
    this.#looks = new SharedLook(() => this.#look());
  }

  /**
   * Resolved when everything that was committed before the call is known.
   * @throws MetadataError
   */
  look(): Promise<void> {
    return this.#looks.now();
  }

  async #look(): Promise<void> {
    const { rows } = await this.#pool.query<Seen>(looking).catch((error: unknown) => {
      throw problemOf(error);
    });
    const works = (list: string): number =>
      Number(rows.find(({ kind, name }) => kind === 'works with' && name === list)?.n ?? 0);
    if (!knows(thisProgram, { common: works('common'), own: works('own') })) throw outdated();
    const versions = new Map(rows.flatMap(({ kind, name, n }) => (kind === 'version' ? [[name, n] as const] : [])));
    const names = [...versions.keys()].filter((name) => this.#known.get(name) !== versions.get(name));
    if (names.length > 0) {
      // Known only when it has been acted upon: after a failure the next look finds it again.
      await this.#changed(new Set(names));
      this.#known = versions;
    }
    // Last: fields of what has come in are known by now.
    const last = rows.find(({ kind }) => kind === 'last')?.n ?? '0';
    const underWay = rows.filter(({ kind }) => kind === 'under way');
    this.#settled.note(BigInt(last), new Map(underWay.map(({ name, n }) => [Number(name), BigInt(n)])));
  }
}

interface Seen {
  readonly kind: 'version' | 'works with' | 'last' | 'under way';
  readonly name: string;
  readonly n: string;
}

/** One statement, so that all of it is of one moment. */
const looking = `
  SELECT 'version' AS kind, name, CAST(version AS TEXT) AS n FROM versions
  UNION ALL SELECT 'works with', 'common', CAST(common AS TEXT) FROM works_with
  UNION ALL SELECT 'works with', 'own', CAST(own AS TEXT) FROM works_with
  UNION ALL SELECT 'last', '', CAST(last AS TEXT) FROM arrival_order
  UNION ALL SELECT 'under way', CAST(dataset_id AS TEXT), CAST(min(first) AS TEXT) FROM arrivals
    WHERE done IS NULL GROUP BY dataset_id`;
