import type { Database } from '../../metadata/database.js';

export interface RefusedBatch {
  readonly position: bigint;
  readonly datasetId: number;
}

/**
 * Batches the engine refuses for what they hold, which should never happen. They are kept in the metadata until an engine takes them, so that
 * neither the log nor deletions have to wait for them. Their positions are also held in memory.
 */
export interface RefusedBatches {
  list(): readonly RefusedBatch[];
  has(position: bigint): boolean;
  /** Resolved means durable. */
  keep(position: bigint, datasetId: number, payload: Uint8Array): Promise<void>;
  /** The frame as the log held it. */
  payload(position: bigint): Promise<Uint8Array | undefined>;
  /** Forgets a batch that the engine has now. */
  remove(position: bigint): Promise<void>;
  forget(datasetId: number): Promise<void>;
}

export async function openRefusedBatches(database: Database): Promise<RefusedBatches> {
  const rows = await database.selectFrom('refused_batches').select(['position', 'dataset_id']).execute();
  /** Position → dataset, of all that are in the metadata. */
  const kept = new Map(rows.map((row) => [BigInt(row.position), row.dataset_id]));
  return {
    list: () => [...kept].map(([position, datasetId]) => ({ position, datasetId })),

    has: (position) => kept.has(position),

    async keep(position, datasetId, payload) {
      await database
        .replaceInto('refused_batches')
        .values({ position: String(position), dataset_id: datasetId, payload: Buffer.from(payload) })
        .execute();
      kept.set(position, datasetId);
    },

    async payload(position) {
      const row = await database
        .selectFrom('refused_batches')
        .select('payload')
        .where('position', '=', String(position))
        .executeTakeFirst();
      return row === undefined ? undefined : new Uint8Array(row.payload);
    },

    async remove(position) {
      await database.deleteFrom('refused_batches').where('position', '=', String(position)).execute();
      kept.delete(position);
    },

    async forget(datasetId) {
      await database.deleteFrom('refused_batches').where('dataset_id', '=', datasetId).execute();
      for (const [position, id] of kept) if (id === datasetId) kept.delete(position);
    },
  };
}
