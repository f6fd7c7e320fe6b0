import { quoteIdentifier, quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import type { Log } from '../log.js';
import type { Coordination } from './coordination.js';
import { waitForQuorum } from './all-replicas.js';
import { RescuedTables } from './rescued-tables.js';
import { ConditionTimer } from './condition-timer.js';
import type { Replica } from './replica.js';
import { syncReplica } from './sync.js';

interface RepairOptions {
  readonly replicas: readonly Replica[];
  readonly agreement: Pick<Coordination, 'mayRepair' | 'removedTables'>;
  readonly database: string;
  readonly log: Log;
  /** All tables that should exist. */
  readonly tables: () => readonly string[];
  /** After this long read-only a table is restarted; after twice as long it is rebuilt. */
  readonly stuckMilliseconds: number;
  /** Time limit of one attempt to sync another replica. */
  readonly syncMilliseconds: number;
  /** Called when cached knowledge of a replica is void. */
  readonly remade: (replica: Replica) => void;
}

/** A process whose permission to repair took longer than this may have been suspended. */
const certainMilliseconds = 5000;
/**
 * Repairs replicas, one table at a time: tables created while the replica was unreachable, all
 * tables of a replica that lost its disk, and tables that stay read-only because a kill interrupted
 * a change of their columns. ClickHouse repairs none of these.
 *
 * A table is rebuilt from another replica that has all that Keeper knows of it. That replica may be
 * the only one, so the rows of the old copy are kept until most replicas have them again.
 */
export class Repair {
  readonly #options: RepairOptions;
  /** Steps taken for copies that stay read-only, by replica and table. */
  readonly #steps = new Map<string, 'restarted' | 'kept'>();
  readonly #missingTimer = new ConditionTimer();
  readonly #rescuedTables: RescuedTables;
  #isRunning = false;

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#rescuedTables = new RescuedTables({
      database: options.database,
      isRemoved: (table) => this.#isRemoved(table),
      isOnMost: (table) => this.#isOnMost(table),
    });
  }

  /** Repairs what it can. Never rejects; what fails is tried again the next time. */
  async check(): Promise<void> {
    // Asked even during a repair: asking renews the permission.
    const mayRepair = await this.#options.agreement.mayRepair().catch(() => false);
    if (this.#isRunning || !mayRepair) return;
    this.#isRunning = true;
    try {
      for (const replica of this.#options.replicas) await this.#lookAfter(replica);
      await this.#forgetRemoved();
    } finally {
      this.#isRunning = false;
    }
  }

  async #lookAfter(replica: Replica): Promise<void> {
    try {
      if (replica.state === 'empty') await this.#fill(replica);
      if (!replica.isReady) return;
      for (const table of this.#options.agreement.removedTables.known) await this.#remove(replica, table);
      for (const table of this.#options.tables()) await this.#make(replica, table);
      for (const table of replica.tables) await this.#unstick(replica, table);
      await this.#rescuedTables.forget(replica);
    } catch (error) {
      const reason = error instanceof EngineError ? error.engineMessage : String(error);
      this.#options.log('warn', 'could not repair a replica; retrying', { replica: replica.url, reason });
    }
  }

  /** Gives an empty replica all tables, and then its mark: from then on it may be a leader. */
  async #fill(replica: Replica): Promise<void> {
    const { database, log, tables, remade } = this.#options;
    const all = tables();
    if (this.#otherReplicas(replica).length === 0) return;
    for (const table of all) if (!(await this.#isElsewhere(replica, table))) return;
    log('warn', 'replica is empty (new, or its disk was lost): creating its tables', { replica: replica.url });
    remade(replica);
    await replica.run(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(database)}`);
    // An earlier attempt may have been interrupted.
    const names = `SELECT name FROM system.tables WHERE database = ${quoteString(database)}`;
    const made = new Set((await replica.lines(names)).flat());
    for (const table of all) {
      if (made.has(table)) continue;
      await this.#forgetAt(replica, table);
      await this.#create(replica, table);
    }
    await replica.markComplete();
    log('info', 'replica has all tables', { replica: replica.url, tables: all.length });
  }

  /** Drops removed tables from the list once no replica has them. */
  async #forgetRemoved(): Promise<void> {
    const { replicas, agreement } = this.#options;
    if (!replicas.every(({ isReady }) => isReady)) return;
    for (const table of agreement.removedTables.known)
      if (!replicas.some((replica) => replica.has(table)))
        // The next check tries again.
        await agreement.removedTables.deleteTable(table).catch(() => undefined);
  }

  /** Removes a table that was removed while the replica was unreachable. */
  async #remove(replica: Replica, table: string): Promise<void> {
    if (!replica.has(table)) return;
    await replica.run(`DROP TABLE IF EXISTS ${this.#quoteTable(table)} SYNC`);
    await replica.refresh();
  }

  /** Creates a table that was created while the replica was unreachable. */
  async #make(replica: Replica, table: string): Promise<void> {
    // It may be about to be created.
    const missing = this.#missingTimer.for(`${replica.index} ${table}`, !replica.has(table));
    if (replica.has(table) || missing < this.#options.stuckMilliseconds) return;
    await this.#forgetAt(replica, table);
    await this.#create(replica, table);
    this.#options.log('info', 'created a missing table on a replica', { replica: replica.url, table });
    replica.addTable(table);
  }

  async #create(replica: Replica, table: string): Promise<void> {
    await replica.requireRoomForDefinitions();
    await replica.run(await this.#definition(replica, table));
    // The table was removed during its creation.
    if (!this.#options.tables().includes(table))
      await replica.run(`DROP TABLE IF EXISTS ${this.#quoteTable(table)} SYNC`);
  }

  /**
   * Repairs a table that stays read-only while other copies can be written, so Keeper is reachable.
   */
  async #unstick(replica: Replica, table: string): Promise<void> {
    const { stuckMilliseconds, log, remade } = this.#options;
    const key = `${replica.index} ${table}`;
    const stuck = replica.readOnlyFor(table);
    if (stuck === 0) this.#steps.delete(key);
    if (stuck < stuckMilliseconds || this.#completeReplicas(replica, table).length === 0) return;
    const name = this.#quoteTable(table);
    if (!this.#steps.has(key)) {
      this.#steps.set(key, 'restarted');
      return replica.run(`SYSTEM RESTART REPLICA ${name}`);
    }
    if (stuck < 2 * stuckMilliseconds || !(await this.#isElsewhere(replica, table))) return;
    await replica.requireRoomForDefinitions();
    const definition = await this.#definition(replica, table);
    if (this.#steps.get(key) !== 'kept') await this.#rescuedTables.keep(replica, table);
    this.#steps.set(key, 'kept');
    if (!(await this.#isCertain(replica, table))) return;
    log('warn', "a replica's table stays read-only; restoring it from other replicas", {
      replica: replica.url,
      table,
    });
    remade(replica);
    await replica.run(`DROP TABLE IF EXISTS ${name} SYNC`);
    await this.#forgetAt(replica, table);
    await replica.run(definition);
    this.#steps.delete(key);
    await replica.refresh();
  }

  /** Removes a lost copy from Keeper. Fails while Keeper considers the replica alive. */
  async #forgetAt(replica: Replica, table: string): Promise<void> {
    const [other] = this.#with(replica, table);
    if (other === undefined) return;
    const [row] = await other.lines(
      `SELECT toString(mapContains(replica_is_active, ${quoteString(replica.name)})) FROM system.replicas ` +
        `WHERE database = ${quoteString(this.#options.database)} AND table = ${quoteString(table)}`,
    );
    if (row?.[0] !== '1') return;
    await other.run(`SYSTEM DROP REPLICA ${quoteString(replica.name)} FROM TABLE ${this.#quoteTable(table)}`);
  }

  /** The present definition: with the original one, a table would not match the others. */
  async #definition(replica: Replica, table: string): Promise<string> {
    const [other] = this.#with(replica, table);
    if (other === undefined) throw new EngineError('unavailable', `no replica has the table ${table}`);
    const definition = await other.definitionOf(table);
    return definition.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS ');
  }

  /**
   * Whether the copy is still unusable according to all replicas: checked right before it is
   * dropped. If this process is suspended in between, another one may have repaired the copy, which
   * then has new rows.
   */
  async #isCertain(replica: Replica, table: string): Promise<boolean> {
    const states = await Promise.all([replica, ...this.#otherReplicas(replica)].map((each) => each.refreshNow()));
    if (
      states.includes(false) ||
      replica.readOnlyFor(table) === 0 ||
      this.#completeReplicas(replica, table).length === 0
    )
      return false;
    const began = performance.now();
    return (await this.#options.agreement.mayRepair()) && performance.now() - began < certainMilliseconds;
  }

  /** Other replicas that had all of a table at the last check. */
  #completeReplicas(replica: Replica, table: string): readonly Replica[] {
    return this.#otherReplicas(replica).filter((other) => other.hasAll(table));
  }

  /** Whether another replica has all that Keeper knows of a table now. */
  async #isElsewhere(replica: Replica, table: string): Promise<boolean> {
    const { database, syncMilliseconds } = this.#options;
    const counts = this.#completeReplicas(replica, table).map((other) =>
      syncReplica(other, database, [table], AbortSignal.any([other.lost, AbortSignal.timeout(syncMilliseconds)])),
    );
    return Promise.any(counts).then(
      () => true,
      () => false,
    );
  }

  async #isOnMost(table: string): Promise<boolean> {
    const { replicas, database, syncMilliseconds } = this.#options;
    return waitForQuorum(table, { replicas, database, to: 'most', milliseconds: syncMilliseconds }).then(
      () => true,
      () => false,
    );
  }

  /** Whether a table is gone from all replicas and will not be created again. */
  #isRemoved(table: string): boolean {
    const { replicas, agreement } = this.#options;
    if (agreement.removedTables.known.has(table)) return true;
    return replicas.every((replica) => replica.isReady && !replica.has(table));
  }

  #otherReplicas(replica: Replica): readonly Replica[] {
    return this.#options.replicas.filter((other) => other !== replica && other.isReady);
  }

  #with(replica: Replica, table: string): readonly Replica[] {
    const others = this.#otherReplicas(replica).filter((other) => other.tables.includes(table));
    return others.toSorted((a, b) => a.readOnlyFor(table) - b.readOnlyFor(table));
  }

  #quoteTable(table: string): string {
    return `${quoteIdentifier(this.#options.database)}.${quoteIdentifier(table)}`;
  }
}
