import { sql } from 'kysely';
import type { Database } from '@millrace/metadata/database';

export interface QuarantinedBatch {
  readonly position: bigint;
  readonly datasetId: number;
  /** Length of its payload. */
  readonly bytes: number;
  /**
   * Nanoseconds since the epoch: events of the batch before this time were trimmed, and are left
   * out when the engine accepts the batch.
   */
  readonly notBefore?: bigint;
}

/**
 * Quarantined batches: the engine rejected them because of their content, or for no known reason
 * while it accepted others. Neither should ever happen. They are kept in the metadata until an
 * engine accepts them, so that neither log truncation nor deletions wait for them. A trim applies
 * to them too. A deletion by query does not: events the engine accepts later count as ingested
 * then. Everything but the payloads is also in memory.
 */
export class QuarantinedBatches {
  readonly #database: Database;
  /** All batches in the metadata, by position. */
  readonly #batches: Map<bigint, QuarantinedBatch>;
  /** Positions of batches being quarantined, or for which `keep` has failed. */
  readonly #perhaps = new Set<bigint>();

  private constructor(database: Database, kept: Map<bigint, QuarantinedBatch>) {
    this.#database = database;
    this.#batches = kept;
  }

  static async open(database: Database): Promise<QuarantinedBatches> {
    const rows = await database
      .selectFrom('refused_batches')
      .select(['position', 'dataset_id', 'not_before', sql<number>`octet_length(payload)`.as('bytes')])
      .execute();
    const kept = rows.map(({ position, dataset_id, not_before, bytes }): [bigint, QuarantinedBatch] => [
      BigInt(position),
      {
        position: BigInt(position),
        datasetId: dataset_id,
        bytes,
        ...(not_before !== null && { notBefore: BigInt(not_before) }),
      },
    ]);
    return new QuarantinedBatches(database, new Map(kept));
  }

  list(): readonly QuarantinedBatch[] {
    return [...this.#batches.values()];
  }

  has(position: bigint): boolean {
    return this.#batches.has(position);
  }

  /**
   * Whether the metadata may have it, even if `keep` failed: a statement that took effect may be
   * reported as failed.
   */
  mayHave(position: bigint): boolean {
    return this.#batches.has(position) || this.#perhaps.has(position);
  }

  /** Resolved means durable. */
  async keep(position: bigint, datasetId: number, payload: Uint8Array): Promise<void> {
    this.#perhaps.add(position);
    const row = { dataset_id: datasetId, payload: Buffer.from(payload), not_before: null };
    await this.#database
      .insertInto('refused_batches')
      .values({ position: String(position), ...row })
      .onConflict((conflict) => conflict.column('position').doUpdateSet(row))
      .execute();
    this.#batches.set(position, { position, datasetId, bytes: payload.byteLength });
    this.#perhaps.delete(position);
  }

  /** The frame as it was in the log. */
  async payload(position: bigint): Promise<Uint8Array | undefined> {
    const row = await this.#database
      .selectFrom('refused_batches')
      .select('payload')
      .where('position', '=', String(position))
      .executeTakeFirst();
    return row === undefined ? undefined : new Uint8Array(row.payload);
  }

  /** Records that the batch's events before a time were trimmed. */
  async leaveOut(position: bigint, before: bigint): Promise<void> {
    const batch = this.#batches.get(position);
    if (batch === undefined || (batch.notBefore !== undefined && batch.notBefore >= before)) return;
    await this.#database
      .updateTable('refused_batches')
      .set({ not_before: String(before) })
      .where('position', '=', String(position))
      .execute();
    this.#batches.set(position, { ...batch, notBefore: before });
  }

  /** Deletes a batch that the engine now has, or whose events were all trimmed. */
  async remove(position: bigint): Promise<void> {
    await this.#database.deleteFrom('refused_batches').where('position', '=', String(position)).execute();
    this.#batches.delete(position);
    this.#perhaps.delete(position);
  }

  async forget(datasetId: number): Promise<void> {
    await this.#database.deleteFrom('refused_batches').where('dataset_id', '=', datasetId).execute();
    for (const batch of this.#batches.values()) if (batch.datasetId === datasetId) this.#batches.delete(batch.position);
  }
}
