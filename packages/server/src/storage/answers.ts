import { sql } from 'kysely';
import type { Database } from '../metadata/database.js';
import type { Idempotency } from './frame.js';
import type { Batch } from './insert/queue.js';

export interface RememberedAnswer {
  readonly position: bigint;
  /** JSON text of the answer to the request whose events were stored. */
  readonly answer: string;
}

/**
 * Answers to requests that came with an idempotency key. Until a batch is in the engine, its answer is in the log with it; before the log may
 * release the batch, the answer is in the metadata. So a key is known whenever its events are.
 */
export interface Answers {
  find(datasetId: number, key: string): Promise<RememberedAnswer | undefined>;
  /** Remembers the answer of a batch that is in the log. */
  note(datasetId: number, position: bigint, idempotency: Idempotency): void;
  /** Makes the answers of batches durable in the metadata, before the batches go into the engine. */
  keep(datasetId: number, batches: readonly Pick<Batch, 'position' | 'idempotency'>[]): Promise<void>;
  /** Removes answers older than the time for which keys are remembered. */
  expire(): Promise<void>;
  forget(datasetId: number): Promise<void>;
  /** Forgets the answers of batches with later positions, but for those that are kept because the engine refused them. */
  forgetAfter(datasetId: number, position: bigint): Promise<void>;
}

export function openAnswers(database: Database, keepMilliseconds: number): Answers {
  /** Answers that are only in the log so far. */
  const fresh = new Map<string, RememberedAnswer>();
  const freshKey = (datasetId: number, key: string): string => `${datasetId} ${key}`;
  return {
    async find(datasetId, key) {
      const known = fresh.get(freshKey(datasetId, key));
      if (known !== undefined) return known;
      const row = await database
        .selectFrom('answers')
        .select(['position', 'answer'])
        .where('dataset_id', '=', datasetId)
        .where('key', '=', key)
        .where('expires', '>', Date.now())
        .executeTakeFirst();
      return row === undefined ? undefined : { position: BigInt(row.position), answer: row.answer };
    },

    note: (datasetId, position, { key, answer }) => void fresh.set(freshKey(datasetId, key), { position, answer }),

    async keep(datasetId, batches) {
      const expires = Date.now() + keepMilliseconds;
      const rows = batches.flatMap(({ position, idempotency }) =>
        idempotency === undefined
          ? []
          : [{ dataset_id: datasetId, ...idempotency, position: String(position), expires }],
      );
      if (rows.length === 0) return;
      await database.transaction().execute(async (transaction) => {
        for (const row of rows) await transaction.replaceInto('answers').values(row).execute();
      });
      for (const { key } of rows) fresh.delete(freshKey(datasetId, key));
    },

    async expire() {
      await database.deleteFrom('answers').where('expires', '<=', Date.now()).execute();
    },

    async forget(datasetId) {
      for (const key of fresh.keys()) if (key.startsWith(`${datasetId} `)) fresh.delete(key);
      await database.deleteFrom('answers').where('dataset_id', '=', datasetId).execute();
    },

    async forgetAfter(datasetId, position) {
      await database
        .deleteFrom('answers')
        .where('dataset_id', '=', datasetId)
        .where(sql`CAST(position AS INTEGER)`, '>', sql`CAST(${String(position)} AS INTEGER)`)
        .where('position', 'not in', database.selectFrom('refused_batches').select('position'))
        .execute();
    },
  };
}
