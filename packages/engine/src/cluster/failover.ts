import type { Log } from '../log.js';
import { EngineError } from '../errors.js';
import { classOf, type Home, type Homes, orderOf } from './homes.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';

interface FailoverOptions {
  readonly replicas: readonly Replica[];
  readonly homes: Homes;
  readonly database: string;
  readonly log: Log;
  /** A home whose tables are read-only for longer is given up, if another replica can write. */
  readonly readOnlyMilliseconds: number;
  /** A replica that has come back becomes a home again when it has been well for this long. */
  readonly returnMilliseconds: number;
  /** How long one attempt to bring up a new home may take. */
  readonly syncMilliseconds: number;
  /** All tables that are known. */
  readonly tables: () => readonly string[];
  /** A class has a home again. */
  readonly settled: () => void;
}

/** Where the tables of a class are asked at the moment. */
export interface Place {
  readonly replica: Replica;
  readonly generation: number;
}

/**
 * Chooses the home of each class of tables, and another one when it fails. Before a new home
 * answers, it has everything that was acknowledged: whoever acknowledges an insert looks afterwards
 * whether the home is still the same, so the insert was in Keeper's log before this one was synced.
 */
export class Failover {
  readonly #options: FailoverOptions;
  readonly #waiters = new Set<() => void>();
  /** Classes that are being looked after. */
  readonly #busy = new Set<number>();

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  /** How many classes there are. */
  get classes(): number {
    return this.#options.replicas.length;
  }

  /** The home of a class now, if it answers; undefined while there is none. */
  async now(tableClass: number): Promise<Place | undefined> {
    const home = await this.#options.homes.read(tableClass);
    const replica = home && this.#options.replicas[home.replica];
    if (home?.state !== 'ready' || replica?.isReady !== true) return undefined;
    return { replica, generation: home.generation };
  }

  /**
   * The home of a class, as soon as there is one.
   * @throws EngineError `unavailable` when there is none for too long, `cancelled`
   */
  async of(tableClass: number, milliseconds: number, signal?: AbortSignal): Promise<Place> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      if (signal?.aborted === true) throw new EngineError('cancelled', '', 'elsewhere');
      const changed = this.#change(deadline - performance.now(), signal);
      const place = await this.now(tableClass);
      if (place !== undefined) return place;
      if (performance.now() >= deadline)
        throw new EngineError('unavailable', 'no replica can answer at the moment', 'elsewhere');
      await changed;
    }
  }

  /**
   * Looks after each class: gives it a home, another one if that fails, and the one it should have
   * when that is back.
   */
  async look(): Promise<void> {
    const classes = Array.from({ length: this.classes }, (_, tableClass) => tableClass);
    await Promise.all(classes.map((tableClass) => this.#lookAfter(tableClass)));
  }

  /** Never rejects. A class that is being brought up holds up no other. */
  async #lookAfter(tableClass: number): Promise<void> {
    if (this.#busy.has(tableClass)) return;
    this.#busy.add(tableClass);
    try {
      await this.#step(tableClass);
    } catch (error) {
      const reason = error instanceof EngineError ? error.said : String(error);
      this.#options.log('warn', 'a replica could not be brought up yet', { class: tableClass, reason });
    } finally {
      this.#busy.delete(tableClass);
      this.#wake();
    }
  }

  async #step(tableClass: number): Promise<void> {
    const { homes, replicas, log } = this.#options;
    const home = await homes.read(tableClass);
    const better = this.#better(tableClass, home);
    if (better !== undefined) {
      const next: Home = { replica: better.index, generation: (home?.generation ?? 0) + 1, state: 'syncing' };
      if (!(await homes.replace(tableClass, home, next))) return;
      if (home !== undefined)
        log('warn', 'tables have another home', {
          class: tableClass,
          from: replicas[home.replica]?.url,
          to: better.url,
        });
      return this.#bringUp(tableClass, next);
    }
    if (home?.state === 'syncing') await this.#bringUp(tableClass, home);
  }

  async #bringUp(tableClass: number, home: Home): Promise<void> {
    const { homes, replicas, database, syncMilliseconds, settled } = this.#options;
    const replica = replicas[home.replica];
    if (replica?.isReady !== true) return;
    const tables = this.#tablesOf(tableClass);
    // It was away when they were made. They are made there first.
    if (tables.some((table) => !replica.tables.includes(table))) return;
    const within = AbortSignal.any([AbortSignal.timeout(syncMilliseconds), replica.lost]);
    await bringUp(replica, database, tables, within);
    if (await homes.replace(tableClass, home, { ...home, state: 'ready' })) settled();
  }

  /** The replica that should be the home instead of the present one; undefined if that may stay. */
  #better(tableClass: number, home: Home | undefined): Replica | undefined {
    const { replicas, returnMilliseconds } = this.#options;
    const order = orderOf(tableClass, replicas.length).map((index) => replicas[index]!);
    const tables = this.#tablesOf(tableClass);
    const fit = order.filter((replica) => this.#isFit(replica, tables));
    const current = home && replicas[home.replica];
    if (current?.isReady !== true) {
      // Without Keeper none can write. One that can still be asked is better than none, but only
      // Keeper tells whether it has everything.
      return this.#mostWhole(fit, tables);
    }
    if (!this.#isFit(current, tables)) return this.#mostWhole(fit, tables);
    if (home?.state !== 'ready') return undefined;
    const [wanted] = order;
    const isWell =
      wanted !== undefined &&
      wanted !== current &&
      fit.includes(wanted) &&
      wanted.readyFor >= returnMilliseconds &&
      tables.every((table) => wanted.hasAll(table));
    return isWell ? wanted : undefined;
  }

  /** The first of those that lack nothing, or else the first. */
  #mostWhole(replicas: readonly Replica[], tables: readonly string[]): Replica | undefined {
    return replicas.find((replica) => tables.every((table) => replica.hasAll(table))) ?? replicas[0];
  }

  /** Whether it answers, has the tables, and can write to them. */
  #isFit(replica: Replica, tables: readonly string[]): boolean {
    const { readOnlyMilliseconds } = this.#options;
    return (
      replica.isReady &&
      tables.every((table) => replica.has(table) && replica.readOnlyFor(table) < readOnlyMilliseconds)
    );
  }

  #tablesOf(tableClass: number): readonly string[] {
    return this.#options.tables().filter((table) => classOf(table, this.classes) === tableClass);
  }

  #wake(): void {
    for (const wake of this.#waiters) wake();
  }

  /** Resolves after the next change, or after a time. */
  #change(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(late);
        this.#waiters.delete(over);
        signal?.removeEventListener('abort', over);
        resolve();
      };
      const late = setTimeout(over, Math.max(0, milliseconds));
      this.#waiters.add(over);
      signal?.addEventListener('abort', over, { once: true });
    });
  }
}
