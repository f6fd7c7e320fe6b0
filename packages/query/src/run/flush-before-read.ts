import { EngineError } from '@millrace/engine';
import { MetadataError } from '@millrace/metadata/metadata-error';
import type { EventStorage } from '@millrace/storage/event-storage';

/** The result of the flush before a query. */
export interface FlushResult {
  /**
   * The version of the data before the flush: events acknowledged during the flush need not be in
   * the result.
   */
  readonly version: string;
  /** Whether some of it is missing, because it cannot be stored at the moment. */
  readonly partial: boolean;
}

interface Reads {
  readonly storage: Pick<EventStorage, 'flush' | 'versionOf'>;
  /** IDs of the datasets of the query. */
  readonly datasetIds: readonly number[];
}

/**
 * Flushes acknowledged batches to the engine. If that is currently impossible, the remaining data
 * can still be read.
 * @param upTo waits only for batches up to this position
 */
export async function flushBeforeRead({ storage, datasetIds }: Reads, upTo?: bigint): Promise<FlushResult> {
  const version = storage.versionOf(datasetIds);
  try {
    await storage.flush(datasetIds, upTo);
    return { version, partial: false };
  } catch (error) {
    if (error instanceof EngineError || error instanceof MetadataError) return { version, partial: true };
    throw error;
  }
}
