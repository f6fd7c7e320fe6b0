import type {
  Engine,
  EngineHealth,
  ExecuteOptions,
  Insert,
  EngineResult,
  QueryOptions,
  Replication,
  Sharding,
  TableName,
} from '../engine.js';
import { EngineError } from '../errors.js';
import { TablesIn } from './find-tables.js';

/** A table is on a shard that was not added: another process uses it, and this one does not yet. */
export class UnknownShardError extends EngineError {
  readonly shard: number;

  constructor(shard: number) {
    super('unavailable', `this process does not use shard ${shard}`, 'elsewhere');
    this.shard = shard;
  }
}

/**
 * Several engines, the shards, each with some of the tables: a statement goes to the shard of its
 * tables. A statement about all tables has to be sent to each shard.
 */
export class ShardedEngine implements Engine, Sharding {
  readonly #shards: Engine[];
  readonly #readyListeners = new Set<() => void>();
  readonly sharding: Sharding = this;
  readonly replication?: Replication;
  readonly #tables: TablesIn;
  readonly #places = new Map<string, number>();

  /**
   * @param shards all with replicas, or all without
   * @param database of the tables, in each
   */
  constructor(shards: readonly Engine[], database: string) {
    this.#shards = [...shards];
    this.#tables = new TablesIn(database);
    if (shards.every(({ replication }) => replication !== undefined))
      this.replication = {
        engineOf: (table) => this.#replicationOf(table).engineOf(table),
        spread: (table, to) => this.#replicationOf(table).spread(table, to),
        askEach: (sql, options) => replicationOf(this.#shardFor(sql)).askEach(sql, options),
        askMost: (table, sql, options) => this.#replicationOf(table).askMost(table, sql, options),
      };
  }

  get shards(): readonly Engine[] {
    return this.#shards;
  }

  /** Adds a shard, with replicas if the others have some. */
  add(shard: Engine): void {
    this.#shards.push(shard);
    for (const listener of this.#readyListeners) shard.onReady(listener);
  }

  place({ table }: TableName, shard: number): void {
    this.#places.set(table, shard);
  }

  of({ table }: TableName): Engine {
    return this.#shardAt(this.#placeOf(table));
  }

  #shardAt(number: number): Engine {
    const shard = this.#shards[number - 1];
    if (shard === undefined) throw new UnknownShardError(number);
    return shard;
  }

  async query(sql: string, options: QueryOptions): Promise<EngineResult> {
    return this.#shardFor(sql).query(sql, options);
  }

  async *stream(sql: string, options: QueryOptions): AsyncGenerator<Uint8Array> {
    yield* this.#shardFor(sql).stream(sql, options);
  }

  async execute(sql: string, options: ExecuteOptions = {}): Promise<void> {
    const isOfAll = options.everywhere === true && options.defines === undefined && this.#tables.of(sql).length === 0;
    if (isOfAll) await Promise.all(this.shards.map((shard) => shard.execute(sql, options)));
    else await this.#shardFor(sql).execute(sql, options);
  }

  async insert(insert: Insert): Promise<void> {
    return requireUp(this.of(insert.table)).insert(insert);
  }

  /** Ready while at least one shard is ready; the data of the others is unavailable. */
  health(): EngineHealth {
    const all = this.shards.map((shard) => shard.health());
    const state = (all.find((health) => health.state === 'ready') ?? all[0]!).state;
    const reason = this.#reason(all);
    return {
      state,
      since: Math.max(...all.map(({ since }) => since)),
      restarts: all.reduce((sum, { restarts }) => sum + restarts, 0),
      ...(all.every((health) => health.state !== 'ready' || health.isReadOnly === true) && { isReadOnly: true }),
      ...(reason !== '' && { reason }),
      memoryBytes: all.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    };
  }

  /** Called for each shard that is ready. */
  onReady(listener: () => void): () => void {
    // One function per call: the same listener may be given twice, and shards may be added later.
    const tell = (): void => {
      if (this.#readyListeners.has(tell)) listener();
    };
    this.#readyListeners.add(tell);
    const removals = this.shards.map((shard) => shard.onReady(tell));
    return () => {
      this.#readyListeners.delete(tell);
      for (const remove of removals) remove();
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.shards.map((shard) => shard.close()));
  }

  #reason(all: readonly EngineHealth[]): string {
    const words = all.flatMap(({ state, reason = '' }, i) =>
      state === 'ready' ? [] : [`shard ${i + 1} ${state}${reason === '' ? '' : `: ${reason}`}`],
    );
    if (all.length === 1) return all[0]?.reason ?? '';
    return words.join('; ');
  }

  #replicationOf(table: TableName): Replication {
    return replicationOf(this.of(table));
  }

  #placeOf(table: string): number {
    const shard = this.#places.get(table);
    if (shard === undefined) throw new EngineError('unknown-table', `nobody has said on which shard ${table} is`);
    return shard;
  }

  /** The shard of a statement's tables; for a statement without tables, one that answers. */
  #shardFor(sql: string): Engine {
    const places = new Set(this.#tables.of(sql).map((table) => this.#placeOf(table)));
    const [place, other] = places;
    if (other !== undefined)
      throw new EngineError('rejected', `the statement is about tables of the shards ${[...places].join(' and ')}`);
    if (place !== undefined) return requireUp(this.#shardAt(place));
    return this.shards.find((shard) => shard.health().state === 'ready') ?? this.shards[0]!;
  }
}

/**
 * Fails at once if a shard is known to be unreachable: a waiting query would delay queries of other
 * shards.
 */
function requireUp(shard: Engine): Engine {
  const { state, reason = '' } = shard.health();
  if (state === 'down') throw new EngineError('unavailable', reason, 'elsewhere');
  return shard;
}

function replicationOf({ replication }: Engine): Replication {
  if (replication === undefined) throw new Error('some shards have replicas, and others have none');
  return replication;
}
