import { sql } from 'kysely';
import type { Database } from '../../metadata/database.js';

export interface RefusedBatch {
  readonly position: bigint;
  readonly datasetId: number;
  /** Length of its payload. */
  readonly bytes: number;
  /** Nanoseconds since the epoch: events of the batch before this time were trimmed, and are left out when the engine accepts the batch. */
  readonly notBefore?: bigint;
}

/**
 * Batches the engine refuses because of their content, or for no known reason while it takes others. Neither should ever happen. They are kept in the
 * metadata until an engine accepts them, so that neither the log nor deletions have to wait for them. A trim applies to them too. A deletion by query
 * does not: events the engine accepts later count as arriving then. Everything but the payloads is also held in memory.
 */
export interface RefusedBatches {
  list(): readonly RefusedBatch[];
  has(position: bigint): boolean;
  /** Whether the metadata may have it, perhaps because `keep` failed when it was done. */
  mayHave(position: bigint): boolean;
  /** Resolved means durable. */
  keep(position: bigint, datasetId: number, payload: Uint8Array): Promise<void>;
  /** The frame as the log held it. */
  payload(position: bigint): Promise<Uint8Array | undefined>;
  /** Records that the batch's events before a time were trimmed. */
  leaveOut(position: bigint, before: bigint): Promise<void>;
  /** Forgets a batch that the engine now has, or whose events were all trimmed. */
  remove(position: bigint): Promise<void>;
  forget(datasetId: number): Promise<void>;
}

export async function openRefusedBatches(database: Database): Promise<RefusedBatches> {
  const rows = await database
    .selectFrom('refused_batches')
    .select(['position', 'dataset_id', 'not_before', sql<number>`length(payload)`.as('bytes')])
    .execute();
  /** All batches in the metadata, by position. */
  const kept = new Map(
    rows.map(({ position, dataset_id, not_before, bytes }): [bigint, RefusedBatch] => [
      BigInt(position),
      {
        position: BigInt(position),
        datasetId: dataset_id,
        bytes,
        ...(not_before !== null && { notBefore: BigInt(not_before) }),
      },
    ]),
  );
  /** Batches that are being kept, or could not be. */
  const perhaps = new Set<bigint>();
  return {
    list: () => [...kept.values()],

    has: (position) => kept.has(position),

    mayHave: (position) => kept.has(position) || perhaps.has(position),

    async keep(position, datasetId, payload) {
      perhaps.add(position);
      await database
        .replaceInto('refused_batches')
        .values({ position: String(position), dataset_id: datasetId, payload: Buffer.from(payload), not_before: null })
        .execute();
      kept.set(position, { position, datasetId, bytes: payload.byteLength });
      perhaps.delete(position);
    },

    async leaveOut(position, before) {
      const batch = kept.get(position);
      if (batch === undefined || (batch.notBefore !== undefined && batch.notBefore >= before)) return;
      await database
        .updateTable('refused_batches')
        .set({ not_before: String(before) })
        .where('position', '=', String(position))
        .execute();
      kept.set(position, { ...batch, notBefore: before });
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
      perhaps.delete(position);
    },

    async forget(datasetId) {
      await database.deleteFrom('refused_batches').where('dataset_id', '=', datasetId).execute();
      for (const batch of kept.values()) if (batch.datasetId === datasetId) kept.delete(batch.position);
    },
  };
}
