import { EngineError } from '../errors.js';
import { ageOf, type Leader, type Leaders } from './leaders.js';

/** Reads the leaders of table groups, and remembers the latest of each. */
export class KnownLeaders {
  readonly #leaders: Leaders;
  readonly #newest = new Map<number, Leader>();
  /** Since when groups have had their leaders, on the monotonic clock. */
  readonly #since = new Map<number, { readonly age: number; readonly at: number }>();

  constructor(leaders: Leaders) {
    this.#leaders = leaders;
  }

  /** @throws EngineError `unavailable` when the leader cannot be read */
  async read(tableClass: number): Promise<Leader | undefined> {
    try {
      const leader = await this.#leaders.read(tableClass);
      const newest = this.#newest.get(tableClass);
      if (leader !== undefined && (newest === undefined || ageOf(leader) > ageOf(newest)))
        this.#newest.set(tableClass, leader);
      return leader;
    } catch (error) {
      throw new EngineError('unavailable', `could not read the leader of a table: ${String(error)}`, 'elsewhere');
    }
  }

  /**
   * A later leader of the group that was read before; undefined unless the database with the
   * leaders was restored from a backup.
   */
  laterThan(tableClass: number, leader: Leader): Leader | undefined {
    const newest = this.#newest.get(tableClass);
    return newest !== undefined && ageOf(leader) < ageOf(newest) ? newest : undefined;
  }

  /** How long this process has seen the group with this leader, milliseconds. */
  ageOf(tableClass: number, leader: Leader): number {
    const age = ageOf(leader);
    const since = this.#since.get(tableClass);
    if (since?.age === age) return performance.now() - since.at;
    this.#since.set(tableClass, { age, at: performance.now() });
    return 0;
  }
}
