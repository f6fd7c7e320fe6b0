import { sql } from 'kysely';
import type { Clock } from '@millrace/metadata/clock';
import type { Connection, Database } from '@millrace/metadata/database';
import type { Idempotency } from './frame.js';
import type { Batch } from './insert/queue.js';

export interface StoredResponse {
  readonly position: bigint;
  /** JSON text of the response to the request whose events were stored. */
  readonly answer: string;
}

interface IdempotencyLimits {
  /** How long responses are stored, milliseconds. */
  readonly idempotencyWindow: number;
  /** Maximum stored responses per dataset; the oldest are deleted. */
  readonly idempotencyKeys: number;
}

/**
 * Responses to requests with an idempotency key. Until a batch is in the engine, its response is in
 * the log with it; before the log may be truncated past the batch, the response is in the metadata.
 * So a key is known whenever its events are.
 */
export class IdempotencyStore {
  readonly #database: Database;
  readonly #limits: IdempotencyLimits;
  readonly #retentionClock: Clock;
  /** Responses that are only in the log so far. */
  readonly #fresh = new Map<string, StoredResponse>();

  /** Stored responses of each counted dataset. */
  readonly #counts = new Map<number, number>();

  /** @param retentionClock the clock by which responses expire */
  constructor(database: Database, limits: IdempotencyLimits, retentionClock: Clock = Date.now) {
    this.#database = database;
    this.#limits = limits;
    this.#retentionClock = retentionClock;
  }

  async find(
    datasetId: number,
    key: string,
    connection: Connection = this.#database,
  ): Promise<StoredResponse | undefined> {
    const known = this.#fresh.get(freshKey(datasetId, key));
    if (known !== undefined) return known;
    const row = await connection
      .selectFrom('answers')
      .select(['position', 'answer'])
      .where('dataset_id', '=', datasetId)
      .where('key', '=', key)
      .where('expires', '>', this.#retentionClock())
      .executeTakeFirst();
    return row === undefined ? undefined : { position: BigInt(row.position), answer: row.answer };
  }

  /** Records the response of a batch in the log. */
  note(datasetId: number, position: bigint, { key, answer }: Idempotency): void {
    this.#fresh.set(freshKey(datasetId, key), { position, answer });
  }

  /**
   * Makes the responses of batches durable in the metadata, before the batches are inserted into
   * the engine.
   * @param within an open transaction
   */
  async keep(
    datasetId: number,
    batches: readonly Pick<Batch, 'position' | 'idempotency'>[],
    within?: Connection,
  ): Promise<void> {
    // By the system clock, which is never slower than the other: it is trusted after a restart.
    const expires = Date.now() + this.#limits.idempotencyWindow;
    const rows = batches.flatMap(({ position, idempotency }) =>
      idempotency === undefined ? [] : [{ dataset_id: datasetId, ...idempotency, position: String(position), expires }],
    );
    if (rows.length === 0) return;
    const write = async (transaction: Connection): Promise<void> => {
      for (const row of rows)
        await transaction
          .insertInto('answers')
          .values(row)
          .onConflict((conflict) => conflict.columns(['dataset_id', 'key']).doUpdateSet(row))
          .execute();
      await this.#forgetOldest(datasetId, rows.length, transaction);
    };
    await (within === undefined ? this.#database.transaction().execute(write) : write(within));
    for (const { key } of rows) this.#fresh.delete(freshKey(datasetId, key));
  }

  /** Deletes the oldest responses of a dataset beyond the limit. */
  async #forgetOldest(datasetId: number, added: number, connection: Connection): Promise<void> {
    const before = this.#counts.get(datasetId);
    const count = before === undefined ? await countOf(datasetId, connection) : before + added;
    const excess = count - this.#limits.idempotencyKeys;
    // After a lower limit each insert removes some more than it adds.
    const removed = Math.max(0, Math.min(excess, 2 * added + 100));
    this.#counts.set(datasetId, count - removed);
    if (removed === 0) return;
    await connection
      .deleteFrom('answers')
      .where('dataset_id', '=', datasetId)
      .where('key', 'in', ({ selectFrom }) =>
        selectFrom('answers').select('key').where('dataset_id', '=', datasetId).orderBy('expires').limit(removed),
      )
      .execute();
  }

  /** Deletes expired responses. */
  async expire(): Promise<void> {
    // Counted again: some expire, and other nodes add some.
    this.#counts.clear();
    await this.#database.deleteFrom('answers').where('expires', '<=', this.#retentionClock()).execute();
  }

  async forget(datasetId: number): Promise<void> {
    this.#counts.delete(datasetId);
    for (const key of this.#fresh.keys()) if (key.startsWith(`${datasetId} `)) this.#fresh.delete(key);
    await this.#database.deleteFrom('answers').where('dataset_id', '=', datasetId).execute();
  }

  /** Deletes the responses of batches with later positions, except quarantined ones. */
  async forgetAfter(datasetId: number, position: bigint): Promise<void> {
    this.#counts.delete(datasetId);
    await this.#database
      .deleteFrom('answers')
      .where('dataset_id', '=', datasetId)
      .where(sql`CAST(position AS BIGINT)`, '>', sql`CAST(${String(position)} AS BIGINT)`)
      .where('position', 'not in', this.#database.selectFrom('refused_batches').select('position'))
      .execute();
  }
}

async function countOf(datasetId: number, connection: Connection): Promise<number> {
  const { count } = await connection
    .selectFrom('answers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dataset_id', '=', datasetId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const freshKey = (datasetId: number, key: string): string => `${datasetId} ${key}`;
