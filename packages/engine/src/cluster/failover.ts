import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.js';
import { EngineError } from '../errors.js';
import { ageOf, classOf, type Home, type Homes, isOfAll, orderOf, tableClasses, type Votes } from './homes.js';
import { Lasting } from './lasting.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';
import type { UnexpectedParts } from './unexpected-parts.js';

interface FailoverOptions {
  readonly replicas: readonly Replica[];
  readonly homes: Homes;
  readonly unexpected: UnexpectedParts;
  readonly database: string;
  readonly log: Log;
  /**
   * A home whose tables are read-only, or missing, for longer is given up, if another replica can
   * write.
   */
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
 * How long other replicas than a new home may take to say which tables they have: one of those may
 * hang, too.
 */
const othersMilliseconds = 1000;
/** How long they may take to say which parts a new home should not have. */
const unexpectedMilliseconds = 3000;

export const allClasses: readonly number[] = Array.from({ length: tableClasses }, (_, tableClass) => tableClass);

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
  /** The latest homes that were read. */
  readonly #newest = new Map<number, Home>();
  readonly #lacking = new Lasting();
  /** Since when classes have had their homes, on the monotonic clock. */
  readonly #since = new Map<number, { readonly age: number; readonly at: number }>();
  /** Homes of which nobody could tell yet which parts they should not have. */
  readonly #uncompared = new Map<number, Replica>();
  #isBlind = false;

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  /**
   * The home of a class now, if it answers; undefined while there is none.
   * @throws EngineError `unavailable` when nobody can tell where it is
   */
  async now(tableClass: number): Promise<Place | undefined> {
    const home = await this.#read(tableClass);
    const replica = home && this.#named(home.replica);
    if (home?.state !== 'ready' || replica?.isReady !== true || this.#isOld(tableClass, home)) return undefined;
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
   * when that is back. Never rejects.
   */
  async look(): Promise<void> {
    const { homes, replicas, log } = this.#options;
    const heard = replicas.filter(({ isReady }) => isReady).map(({ name }) => name);
    try {
      const votes = await homes.vote(heard);
      this.#isBlind = false;
      await Promise.all(allClasses.map((tableClass) => this.#lookAfter(tableClass, votes)));
    } catch (error) {
      if (!this.#isBlind) log('warn', 'nobody can tell where tables are at home', { reason: String(error) });
      this.#isBlind = true;
    }
  }

  /** Never rejects. A class that is being brought up holds up no other. */
  async #lookAfter(tableClass: number, votes: Votes): Promise<void> {
    if (this.#busy.has(tableClass)) return;
    this.#busy.add(tableClass);
    try {
      await this.#step(tableClass, votes);
    } catch (error) {
      const reason = error instanceof EngineError ? error.said : String(error);
      this.#options.log('warn', 'a replica could not be brought up yet', { class: tableClass, reason });
    } finally {
      this.#busy.delete(tableClass);
      this.#wake();
    }
  }

  async #step(tableClass: number, votes: Votes): Promise<void> {
    const { homes, log } = this.#options;
    const home = await this.#read(tableClass);
    const next = this.#next(tableClass, home, votes);
    if (next !== undefined) {
      if (!(await homes.replace(tableClass, home, next))) return;
      if (home !== undefined)
        log('warn', 'tables have another home', { class: tableClass, from: home.replica, to: next.replica });
      return this.#bringUp(tableClass, next);
    }
    if (home?.state === 'syncing') return this.#bringUp(tableClass, home);
    const uncompared = this.#uncompared.get(tableClass);
    if (uncompared === undefined || !uncompared.isReady) return;
    if (uncompared.name === home?.replica) await this.#dropUnexpected(tableClass, uncompared);
    else this.#uncompared.delete(tableClass);
  }

  /** What is to come after a home; undefined if it may stay. */
  #next(tableClass: number, home: Home | undefined, votes: Votes): Home | undefined {
    // Later homes were forgotten, so nobody knows what this one lacks.
    if (home !== undefined && this.#isOld(tableClass, home)) {
      const { generation } = this.#newest.get(tableClass)!;
      return { replica: home.replica, generation: generation + 1, state: 'syncing' };
    }
    const better = this.#better(tableClass, home, votes);
    return better && { replica: better.name, generation: (home?.generation ?? 0) + 1, state: 'syncing' };
  }

  async #bringUp(tableClass: number, home: Home): Promise<void> {
    const { homes, replicas, database, syncMilliseconds, settled } = this.#options;
    const replica = this.#named(home.replica);
    if (replica?.isReady !== true) return;
    // Since they were asked last, other processes may have made tables.
    const others = replicas.filter((other) => other.isReady && other !== replica);
    const shortly = sleep(othersMilliseconds, undefined, { ref: false });
    const [told] = await Promise.all([
      replica.tells(),
      ...others.map((other) => Promise.race([other.tells(), shortly])),
    ]);
    if (!told) return;
    const tables = this.#tablesOf(tableClass);
    // It was away when they were made. They are made there first.
    if (tables.some((table) => !replica.has(table))) return;
    const within = AbortSignal.any([AbortSignal.timeout(syncMilliseconds), replica.lost]);
    await bringUp(replica, database, tables, within);
    await this.#dropUnexpected(tableClass, replica);
    if (await homes.replace(tableClass, home, { ...home, state: 'ready' })) settled();
  }

  /** Never rejects: a home that may show something twice is better than none. It is tried again. */
  async #dropUnexpected(tableClass: number, replica: Replica): Promise<void> {
    const soon = AbortSignal.any([replica.lost, AbortSignal.timeout(unexpectedMilliseconds)]);
    try {
      await this.#options.unexpected.drop(replica, this.#tablesOf(tableClass), soon);
      this.#uncompared.delete(tableClass);
    } catch {
      this.#uncompared.set(tableClass, replica);
    }
  }

  /**
   * The replica that should be the home instead of the present one; undefined if that may stay. One
   * that this process does not hear keeps its place unless more processes hear another: whose own
   * connections are broken takes nothing from the others.
   */
  #better(tableClass: number, home: Home | undefined, votes: Votes): Replica | undefined {
    const { replicas, returnMilliseconds } = this.#options;
    // By their names: others may name them in another order.
    const named = replicas.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const order = orderOf(tableClass, replicas.length).map((index) => named[index]!);
    const tables = this.#tablesOf(tableClass);
    const fit = order.filter((replica) => this.#isFit(replica, tables));
    if (home === undefined) return this.#mostWhole(fit, tables);
    const current = this.#named(home.replica);
    if (current?.isReady !== true) {
      // Without Keeper none can write. One that can still be asked is better than none, but only
      // Keeper tells whether it has everything.
      const most = Math.max(votes.for(home.replica) + 1, ...fit.map(({ name }) => votes.for(name)));
      return this.#mostWhole(
        fit.filter(({ name }) => votes.for(name) === most),
        tables,
      );
    }
    if (!this.#isFit(current, tables)) return this.#mostWhole(fit, tables);
    // Others may want another one, while they know other replicas.
    if (home.state !== 'ready' || this.#lastsFor(tableClass, home) < returnMilliseconds) return undefined;
    const [wanted] = order;
    const isWell =
      wanted !== undefined &&
      wanted !== current &&
      replicas.every(({ name }) => name !== '') &&
      fit.includes(wanted) &&
      wanted.readyFor >= returnMilliseconds &&
      votes.for(wanted.name) === votes.voters &&
      tables.every((table) => wanted.hasAll(table));
    return isWell ? wanted : undefined;
  }

  /** For how long a class has had a home, as far as this process knows; milliseconds. */
  #lastsFor(tableClass: number, home: Home): number {
    const age = ageOf(home);
    const since = this.#since.get(tableClass);
    if (since?.age === age) return performance.now() - since.at;
    this.#since.set(tableClass, { age, at: performance.now() });
    return 0;
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
      tables.every(
        (table) =>
          // Replicas are not asked at the same moment: one that seems to lack a table may be about
          // to have it.
          this.#lacking.for(`${replica.name} ${table}`, !replica.has(table)) < readOnlyMilliseconds &&
          replica.readOnlyFor(table) < readOnlyMilliseconds,
      )
    );
  }

  #tablesOf(tableClass: number): readonly string[] {
    return this.#options.tables().filter((table) => isOfAll(table) || classOf(table) === tableClass);
  }

  /** Replicas have names as soon as they have answered. */
  #named(name: string): Replica | undefined {
    return this.#options.replicas.find((replica) => replica.name === name);
  }

  /** @throws EngineError */
  async #read(tableClass: number): Promise<Home | undefined> {
    try {
      const home = await this.#options.homes.read(tableClass);
      const newest = this.#newest.get(tableClass);
      if (home !== undefined && (newest === undefined || ageOf(home) > ageOf(newest)))
        this.#newest.set(tableClass, home);
      return home;
    } catch (error) {
      throw new EngineError('unavailable', `nobody can tell where a table is at home: ${String(error)}`, 'elsewhere');
    }
  }

  /** Whether the class has had a later home: what remembers them was put back. */
  #isOld(tableClass: number, home: Home): boolean {
    const newest = this.#newest.get(tableClass);
    return newest !== undefined && ageOf(home) < ageOf(newest);
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
