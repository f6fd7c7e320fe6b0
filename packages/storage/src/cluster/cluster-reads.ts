import type { Settings } from '@millrace/engine';
import { type ArrivalFilter, hasArrived, onlyWhere } from '../consistent-reads.js';

/**
 * Reads datasets into which other processes insert too: every visible row is acknowledged, or about
 * to be. Events of one request in several partitions become visible partition by partition, unless
 * the read is limited to the watermark.
 */
export class ClusterReads {
  readonly #watermark: (datasetIds: readonly number[]) => bigint;

  /** @param watermark the watermark, as of the last check */
  constructor(watermark: (datasetIds: readonly number[]) => bigint) {
    this.#watermark = watermark;
  }

  run<T>(
    datasetIds: readonly number[],
    read: (settings: Settings, began: (at: number) => void) => Promise<T>,
    arrived?: ArrivalFilter,
  ): Promise<T> {
    return read(this.bounds(datasetIds, arrived), () => undefined);
  }

  bounds(datasetIds: readonly number[], arrived?: ArrivalFilter): Readonly<Record<string, string>> {
    if (arrived === undefined) return {};
    return onlyWhere(datasetIds.map((id) => [id, hasArrived(arrived)]));
  }

  watermark(datasetIds: readonly number[]): bigint {
    return this.#watermark(datasetIds);
  }

  /** Rejected batches were reported to their clients and are never stored later. */
  missingPositions(): readonly bigint[] {
    return [];
  }
}
