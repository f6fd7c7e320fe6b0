import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import { detachPart, readableRowsPerBatch, type UnreadablePart } from './readable-rows.js';

/**
 * Rows that the engine has of each batch of the log. A part whose files are damaged is not counted.
 * It stays in its table, where queries that read it fail with the reason, unless the log has
 * batches that may be in it.
 */
export class RowsOfLog {
  readonly #engine: Engine;
  readonly #rows: ReadonlyMap<number, ReadonlyMap<bigint, number>>;
  #unreadable: readonly UnreadablePart[];
  /** Datasets with parts that cannot be read. */
  readonly damagedDatasets: readonly number[];

  private constructor(
    engine: Engine,
    rows: ReadonlyMap<number, ReadonlyMap<bigint, number>>,
    unreadable: readonly UnreadablePart[],
  ) {
    this.#engine = engine;
    this.#rows = rows;
    this.#unreadable = unreadable;
    this.damagedDatasets = [...new Set(unreadable.map(({ datasetId }) => datasetId))];
  }

  /** @param from the first position of the log */
  static async count(engine: Engine, from: bigint): Promise<RowsOfLog> {
    const { rows, unreadable } = await readableRowsPerBatch(engine, from);
    return new RowsOfLog(engine, rows, unreadable);
  }

  of(datasetId: number, position: bigint): number | undefined {
    return this.#rows.get(datasetId)?.get(position);
  }

  /** Detaches the parts of a dataset that cannot be read, before batches are inserted again. */
  async detachUnreadable(datasetId: number, logger: Logger): Promise<void> {
    const parts = this.#unreadable.filter((one) => one.datasetId === datasetId);
    this.#unreadable = this.#unreadable.filter((one) => one.datasetId !== datasetId);
    for (const one of parts) {
      await detachPart(this.#engine, one);
      logger.error({ ...one }, 'a part with damaged files was detached, and its events in the log are stored again');
    }
  }
}
