import type { Pool } from 'pg';
import { Singleflight } from '@millrace/runtime/async/singleflight';
import { supportsSteps, outdatedError, thisProgram } from './migrate.js';
import { problemOf } from './problem.js';
import type { Watermark } from './watermark.js';

/** Detects changes by this or another process. */
export class Versions {
  readonly #pool: Pool;
  readonly #onChange: (names: ReadonlySet<string>) => Promise<void>;
  readonly #watermark: Watermark;
  readonly #looks: Singleflight<void>;
  #knownVersions: ReadonlyMap<string, string> = new Map();

  /** @param changed refreshes the data in memory; the names are those of tables and collections */
  constructor(pool: Pool, changed: (names: ReadonlySet<string>) => Promise<void>, watermark: Watermark) {
    this.#pool = pool;
    this.#watermark = watermark;
    this.#onChange = changed;
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
    const { rows } = await this.#pool.query<StateRow>(stateQuery).catch((error: unknown) => {
      throw problemOf(error);
    });
    const works = (list: string): number =>
      Number(rows.find(({ kind, name }) => kind === 'works with' && name === list)?.n ?? 0);
    if (!supportsSteps(thisProgram, { common: works('common'), own: works('own') })) throw outdatedError();
    const versions = new Map(rows.flatMap(({ kind, name, n }) => (kind === 'version' ? [[name, n] as const] : [])));
    const names = [...versions.keys()].filter((name) => this.#knownVersions.get(name) !== versions.get(name));
    if (names.length > 0) {
      // Recorded only after the changes were applied: after a failure the next check finds them
      // again.
      await this.#onChange(new Set(names));
      this.#knownVersions = versions;
    }
    // Last: fields of stored events are known by now.
    const last = rows.find(({ kind }) => kind === 'last')?.n ?? '0';
    const inFlight = rows.filter(({ kind }) => kind === 'in flight');
    this.#watermark.note(BigInt(last), new Map(inFlight.map(({ name, n }) => [Number(name), BigInt(n)])));
  }
}

interface StateRow {
  readonly kind: 'version' | 'works with' | 'last' | 'in flight';
  readonly name: string;
  readonly n: string;
}

/** A single statement, for a consistent snapshot. */
const stateQuery = `
  SELECT 'version' AS kind, name, CAST(version AS TEXT) AS n FROM versions
  UNION ALL SELECT 'works with', 'common', CAST(common AS TEXT) FROM works_with
  UNION ALL SELECT 'works with', 'own', CAST(own AS TEXT) FROM works_with
  UNION ALL SELECT 'last', '', CAST(last AS TEXT) FROM arrival_order
  UNION ALL SELECT 'in flight', CAST(dataset_id AS TEXT), CAST(min(first) AS TEXT) FROM arrivals
    WHERE done IS NULL GROUP BY dataset_id`;
