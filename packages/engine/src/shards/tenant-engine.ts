import type { Engine, EngineHealth, EngineResult, ExecuteOptions, Insert, QueryOptions } from '../engine.js';
import { EngineError } from '../errors.js';

/**
 * A view of an engine for one of several organizations: it names whose tables are listed, and takes
 * no inserts into others. Closing it ends its listeners and leaves the engine open.
 */
class TenantEngine implements Engine {
  readonly tenant: number;
  readonly #engine: Engine;
  readonly #database: string;
  readonly #unsubscribers = new Set<() => void>();
  #isClosed = false;

  constructor(engine: Engine, tenant: number, database: string) {
    this.#engine = engine;
    this.tenant = tenant;
    this.#database = database;
  }

  query(sql: string, options: QueryOptions): Promise<EngineResult> {
    return this.#open().query(sql, options);
  }

  stream(sql: string, options: QueryOptions): AsyncIterable<Uint8Array> {
    return this.#open().stream(sql, options);
  }

  async execute(sql: string, options?: ExecuteOptions): Promise<void> {
    await this.#open().execute(sql, options);
  }

  async insert(insert: Insert): Promise<void> {
    const { database, table } = insert.table;
    if (database !== this.#database)
      throw new EngineError('internal', `an insert of ${this.#database} names the table ${database}.${table}`);
    await this.#open().insert(insert);
  }

  health(): EngineHealth {
    return this.#engine.health();
  }

  onReady(listener: () => void): () => void {
    const remove = this.#engine.onReady(listener);
    this.#unsubscribers.add(remove);
    return () => {
      this.#unsubscribers.delete(remove);
      remove();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const remove of this.#unsubscribers) remove();
    this.#unsubscribers.clear();
  }

  #open(): Engine {
    if (this.#isClosed) throw new EngineError('unavailable', 'the organization is closed');
    return this.#engine;
  }
}

/**
 * The view of an engine for an organization.
 * @param database of its tables
 */
export const engineOfTenant = (engine: Engine, tenant: number, database: string): Engine =>
  new TenantEngine(engine, tenant, database);
