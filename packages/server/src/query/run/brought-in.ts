import { EngineError } from '@millrace/engine';
import { MetadataError } from '../../metadata/metadata-error.js';
import type { EventStorage } from '../../storage/event-storage.js';

/** What was acknowledged before a question, and is in the engine when it is asked. */
export interface BroughtIn {
  /** That of the data before: events that are acknowledged meanwhile need not be in the answer. */
  readonly version: string;
  /** Whether some of it is missing, because it cannot be stored at the moment. */
  readonly partial: boolean;
}

interface Reads {
  readonly storage: Pick<EventStorage, 'flush' | 'versionOf'>;
  /** Numbers of the datasets of the question. */
  readonly datasetIds: readonly number[];
}

/**
 * Brings what was acknowledged into the engine. Where that is impossible at the moment, the rest
 * can be read all the same.
 * @param upTo nothing behind this position is waited for
 */
export async function bringIn({ storage, datasetIds }: Reads, upTo?: bigint): Promise<BroughtIn> {
  const version = storage.versionOf(datasetIds);
  try {
    await storage.flush(datasetIds, upTo);
    return { version, partial: false };
  } catch (error) {
    if (error instanceof EngineError || error instanceof MetadataError) return { version, partial: true };
    throw error;
  }
}
