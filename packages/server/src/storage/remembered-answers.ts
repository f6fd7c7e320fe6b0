import { sql } from 'kysely';
import type { Clock } from '../metadata/clock.js';
import type { Connection, Database } from '../metadata/database.js';
import type { Idempotency } from './frame.js';
import type { Batch } from './insert/queue.js';

export interface RememberedAnswer {
  readonly position: bigint;
  /** JSON text of the answer to the request whose events were stored. */
  readonly answer: string;
}

/**
 * Answers to requests that came with an idempotency key. Until a batch is in the engine, its answer
 * is in the log with it; before the log may release the batch, the answer is in the metadata. So a
 * key is known whenever its events are.
 */
export class Answers {
  readonly #database: Database;
  readonly #keepMilliseconds: number;
  readonly #aging: Clock;
  /** Answers that are only in the log so far. */
  readonly #fresh = new Map<string, RememberedAnswer>();

  /**
   * @param keepMilliseconds for how long answers are remembered
   * @param aging the clock by which they are forgotten
   */
  constructor(database: Database, keepMilliseconds: number, aging: Clock = Date.now) {
    this.#database = database;
    this.#keepMilliseconds = keepMilliseconds;
    this.#aging = aging;
  }

  async find(
    datasetId: number,
    key: string,
    connection: Connection = this.#database,
  ): Promise<RememberedAnswer | undefined> {
    const known = this.#fresh.get(freshKey(datasetId, key));
    if (known !== undefined) return known;
    const row = await connection
      .selectFrom('answers')
      .select(['position', 'answer'])
      .where('dataset_id', '=', datasetId)
      .where('key', '=', key)
      .where('expires', '>', this.#aging())
      .executeTakeFirst();
    return row === undefined ? undefined : { position: BigInt(row.position), answer: row.answer };
  }

  /** Remembers the answer of a batch that is in the log. */
  note(datasetId: number, position: bigint, { key, answer }: Idempotency): void {
    this.#fresh.set(freshKey(datasetId, key), { position, answer });
  }

  /**
   * Makes the answers of batches durable in the metadata, before the batches go into the engine.
   * @param within a transaction that is under way
   */
  async keep(
    datasetId: number,
    batches: readonly Pick<Batch, 'position' | 'idempotency'>[],
    within?: Connection,
  ): Promise<void> {
    // By the clock of the system, which is never behind the other: what it says is believed after a
    // restart.
    const expires = Date.now() + this.#keepMilliseconds;
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
    };
    await (within === undefined ? this.#database.transaction().execute(write) : write(within));
    for (const { key } of rows) this.#fresh.delete(freshKey(datasetId, key));
  }

  /** Removes answers older than the time for which keys are remembered. */
  async expire(): Promise<void> {
    await this.#database.deleteFrom('answers').where('expires', '<=', this.#aging()).execute();
  }

  async forget(datasetId: number): Promise<void> {
    for (const key of this.#fresh.keys()) if (key.startsWith(`${datasetId} `)) this.#fresh.delete(key);
    await this.#database.deleteFrom('answers').where('dataset_id', '=', datasetId).execute();
  }

  /**
   * Forgets the answers of batches with later positions, but for those that are kept because the
   * engine refused them.
   */
  async forgetAfter(datasetId: number, position: bigint): Promise<void> {
    await this.#database
      .deleteFrom('answers')
      .where('dataset_id', '=', datasetId)
      .where(sql`CAST(position AS BIGINT)`, '>', sql`CAST(${String(position)} AS BIGINT)`)
      .where('position', 'not in', this.#database.selectFrom('refused_batches').select('position'))
      .execute();
  }
}

const freshKey = (datasetId: number, key: string): string => `${datasetId} ${key}`;
