import { quoteIdentifier, quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import type { Log } from '../log.js';
import type { Agreement } from './agreement.js';
import { spread } from './all-replicas.js';
import { KeptCopies } from './kept-copies.js';
import { Lasting } from './lasting.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';

interface RepairOptions {
  readonly replicas: readonly Replica[];
  readonly agreement: Pick<Agreement, 'mayRepair' | 'removed'>;
  readonly database: string;
  readonly log: Log;
  /** All tables that there should be. */
  readonly tables: () => readonly string[];
  /**
   * A table that has been read-only for this long is started again, and after twice as long made
   * anew.
   */
  readonly stuckMilliseconds: number;
  /** How long one attempt to bring up another replica may take. */
  readonly syncMilliseconds: number;
  /** Nothing is known any more of what a replica has. */
  readonly remade: (replica: Replica) => void;
}

/** Whoever was told longer ago that it may repair has slept. */
const certainMilliseconds = 5000;
/**
 * Repairs replicas, one table at a time: tables that were made while one was away, all tables of
 * one that lost its disk, and tables that stay read-only because a kill came in the middle of a
 * change of their columns. ClickHouse does none of that by itself.
 *
 * A table is made anew from another replica that has all that Keeper knows of it. That one may be
 * the only one, so what the copy had is kept until most have it again.
 */
export class Repair {
  readonly #options: RepairOptions;
  /** What was done for copies that stay read-only, by replica and table. */
  readonly #steps = new Map<string, 'restarted' | 'kept'>();
  readonly #missing = new Lasting();
  readonly #kept: KeptCopies;
  #running = false;

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#kept = new KeptCopies({
      database: options.database,
      isRemoved: (table) => this.#isRemoved(table),
      isOnMost: (table) => this.#isOnMost(table),
    });
  }

  /** Repairs what it can. Never rejects; what fails is tried again the next time. */
  async look(): Promise<void> {
    // Whoever is at work for long says so meanwhile.
    const mayRepair = await this.#options.agreement.mayRepair().catch(() => false);
    if (this.#running || !mayRepair) return;
    this.#running = true;
    try {
      for (const replica of this.#options.replicas) await this.#lookAfter(replica);
      await this.#forgetRemoved();
    } finally {
      this.#running = false;
    }
  }

  async #lookAfter(replica: Replica): Promise<void> {
    try {
      if (replica.state === 'empty') await this.#fill(replica);
      if (!replica.isReady) return;
      for (const table of this.#options.agreement.removed.known) await this.#remove(replica, table);
      for (const table of this.#options.tables()) await this.#make(replica, table);
      for (const table of replica.tables) await this.#unstick(replica, table);
      await this.#kept.forget(replica);
    } catch (error) {
      const reason = error instanceof EngineError ? error.said : String(error);
      this.#options.log('warn', 'a replica could not be repaired yet', { replica: replica.url, reason });
    }
  }

  /**
   * Gives a replica without anything all tables, and then its mark: from then on it may be a home.
   */
  async #fill(replica: Replica): Promise<void> {
    const { database, log, tables, remade } = this.#options;
    const all = tables();
    if (this.#others(replica).length === 0) return;
    for (const table of all) if (!(await this.#isElsewhere(replica, table))) return;
    log('warn', 'a replica has lost its disk, or is new: its tables are made', { replica: replica.url });
    remade(replica);
    await replica.run(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(database)}`);
    // It may have been killed in the middle of this.
    const names = `SELECT name FROM system.tables WHERE database = ${quoteString(database)}`;
    const made = new Set((await replica.lines(names)).flat());
    for (const table of all) {
      if (made.has(table)) continue;
      await this.#forgetAt(replica, table);
      await this.#create(replica, table);
    }
    await replica.becomeWhole();
    log('info', 'a replica has all tables again', { replica: replica.url, tables: all.length });
  }

  /** What no replica has any more need not be remembered. */
  async #forgetRemoved(): Promise<void> {
    const { replicas, agreement } = this.#options;
    if (!replicas.every(({ isReady }) => isReady)) return;
    for (const table of agreement.removed.known)
      if (!replicas.some((replica) => replica.has(table)))
        // The next look tries again.
        await agreement.removed.gone(table).catch(() => undefined);
  }

  /** Removes a table that was removed while the replica was away. */
  async #remove(replica: Replica, table: string): Promise<void> {
    if (!replica.has(table)) return;
    await replica.run(`DROP TABLE IF EXISTS ${this.#quoted(table)} SYNC`);
    await replica.ask();
  }

  /** Makes a table that was made while the replica was away. */
  async #make(replica: Replica, table: string): Promise<void> {
    // It may be about to be made.
    const missing = this.#missing.for(`${replica.index} ${table}`, !replica.has(table));
    if (replica.has(table) || missing < this.#options.stuckMilliseconds) return;
    await this.#forgetAt(replica, table);
    await this.#create(replica, table);
    this.#options.log('info', 'a table was made on a replica that had been away', { replica: replica.url, table });
    replica.made(table);
  }

  async #create(replica: Replica, table: string): Promise<void> {
    await replica.requireRoomForDefinitions();
    await replica.run(await this.#definition(replica, table));
    // It was removed meanwhile.
    if (!this.#options.tables().includes(table)) await replica.run(`DROP TABLE IF EXISTS ${this.#quoted(table)} SYNC`);
  }

  /**
   * Helps a table that stays read-only while others of its copies can write: so Keeper is there.
   */
  async #unstick(replica: Replica, table: string): Promise<void> {
    const { stuckMilliseconds, log, remade } = this.#options;
    const key = `${replica.index} ${table}`;
    const stuck = replica.readOnlyFor(table);
    if (stuck === 0) this.#steps.delete(key);
    if (stuck < stuckMilliseconds || this.#whole(replica, table).length === 0) return;
    const name = this.#quoted(table);
    if (!this.#steps.has(key)) {
      this.#steps.set(key, 'restarted');
      return replica.run(`SYSTEM RESTART REPLICA ${name}`);
    }
    if (stuck < 2 * stuckMilliseconds || !(await this.#isElsewhere(replica, table))) return;
    await replica.requireRoomForDefinitions();
    const definition = await this.#definition(replica, table);
    if (this.#steps.get(key) !== 'kept') await this.#kept.keep(replica, table);
    this.#steps.set(key, 'kept');
    if (!(await this.#isCertain(replica, table))) return;
    log('warn', 'a table of a replica stays read-only; it is made anew from the others', {
      replica: replica.url,
      table,
    });
    remade(replica);
    await replica.run(`DROP TABLE IF EXISTS ${name} SYNC`);
    await this.#forgetAt(replica, table);
    await replica.run(definition);
    this.#steps.delete(key);
    await replica.ask();
  }

  /**
   * Takes what Keeper knows of a lost copy away. Fails while Keeper takes the replica for alive.
   */
  async #forgetAt(replica: Replica, table: string): Promise<void> {
    const [other] = this.#with(replica, table);
    if (other === undefined) return;
    const [row] = await other.lines(
      `SELECT toString(mapContains(replica_is_active, ${quoteString(replica.name)})) FROM system.replicas ` +
        `WHERE database = ${quoteString(this.#options.database)} AND table = ${quoteString(table)}`,
    );
    if (row?.[0] !== '1') return;
    await other.run(`SYSTEM DROP REPLICA ${quoteString(replica.name)} FROM TABLE ${this.#quoted(table)}`);
  }

  /** The definition as it is now: with the first one, a table would not fit the others. */
  async #definition(replica: Replica, table: string): Promise<string> {
    const [other] = this.#with(replica, table);
    if (other === undefined) throw new EngineError('unavailable', `no replica has the table ${table}`);
    const definition = await other.definitionOf(table);
    return definition.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS ');
  }

  /**
   * Whether the copy is still of no use, as all say now: asked right before it is thrown away. If
   * this process sleeps in between, another one may have repaired it, and what came in since may be
   * on it.
   */
  async #isCertain(replica: Replica, table: string): Promise<boolean> {
    const told = await Promise.all([replica, ...this.#others(replica)].map((each) => each.tells()));
    if (told.includes(false) || replica.readOnlyFor(table) === 0 || this.#whole(replica, table).length === 0)
      return false;
    const began = performance.now();
    return (await this.#options.agreement.mayRepair()) && performance.now() - began < certainMilliseconds;
  }

  /** Other replicas that had all of a table when they were last asked. */
  #whole(replica: Replica, table: string): readonly Replica[] {
    return this.#others(replica).filter((other) => other.hasAll(table));
  }

  /** Whether another replica has all that Keeper knows of a table at this moment. */
  async #isElsewhere(replica: Replica, table: string): Promise<boolean> {
    const { database, syncMilliseconds } = this.#options;
    const asked = this.#whole(replica, table).map((other) =>
      bringUp(other, database, [table], AbortSignal.any([other.lost, AbortSignal.timeout(syncMilliseconds)])),
    );
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  }

  async #isOnMost(table: string): Promise<boolean> {
    const { replicas, database, syncMilliseconds } = this.#options;
    return spread(table, { replicas, database, to: 'most', milliseconds: syncMilliseconds }).then(
      () => true,
      () => false,
    );
  }

  /** Whether nobody has a table any more, and nobody makes it again. */
  #isRemoved(table: string): boolean {
    const { replicas, agreement } = this.#options;
    if (agreement.removed.known.has(table)) return true;
    return replicas.every((replica) => replica.isReady && !replica.has(table));
  }

  #others(replica: Replica): readonly Replica[] {
    return this.#options.replicas.filter((other) => other !== replica && other.isReady);
  }

  #with(replica: Replica, table: string): readonly Replica[] {
    const others = this.#others(replica).filter((other) => other.tables.includes(table));
    return others.toSorted((a, b) => a.readOnlyFor(table) - b.readOnlyFor(table));
  }

  #quoted(table: string): string {
    return `${quoteIdentifier(this.#options.database)}.${quoteIdentifier(table)}`;
  }
}
