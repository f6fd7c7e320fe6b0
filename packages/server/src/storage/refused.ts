import type { Database } from '../metadata/database.js';

/** A batch the engine refuses for what it holds. */
export interface SetAside {
  readonly datasetId: number;
  readonly position: bigint;
  readonly reason: string;
}

/**
 * Batches the engine refuses for what they hold, which should never happen. They are kept in the metadata until an engine
 * takes them, so that neither the log nor deletions have to wait for them.
 */
export interface RefusedBatches {
  list(): Promise<readonly { readonly position: bigint; readonly datasetId: number }[]>;
  /** Resolved means durable. */
  keep(position: bigint, datasetId: number, payload: Uint8Array): Promise<void>;
  /** The frame as the log held it. */
  payload(position: bigint): Promise<Uint8Array | undefined>;
  remove(position: bigint): Promise<void>;
  forget(datasetId: number): Promise<void>;
}

export function openRefusedBatches(database: Database): RefusedBatches {
  return {
    async list() {
      const rows = await database.selectFrom('refused_batches').select(['position', 'dataset_id']).execute();
      return rows.map((row) => ({ position: BigInt(row.position), datasetId: row.dataset_id }));
    },
    async keep(position, datasetId, payload) {
      await database
        .replaceInto('refused_batches')
        .values({ position: String(position), dataset_id: datasetId, payload: Buffer.from(payload) })
        .execute();
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
    },
    async forget(datasetId) {
      await database.deleteFrom('refused_batches').where('dataset_id', '=', datasetId).execute();
    },
  };
}
