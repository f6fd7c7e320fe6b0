/** Events of a source that are stored together. */
export interface Batch {
  /** Identifies the position; a repeated batch has the same key and is stored once. */
  readonly key: string;
  /** The position for people: topic, partition and offsets, or object and part. */
  readonly position: string;
  readonly body: Uint8Array;
  readonly content: BatchContent;
  /** Messages that could not be read: they go to the dataset for rejected messages. */
  readonly isRejected?: true;
}

/** How the body of a batch is read. Texts are those of the headers of an ingest request. */
export interface BatchContent {
  readonly format: 'json' | 'csv' | 'otlp-logs' | 'otlp-traces' | 'otlp-metrics';
  readonly contentType: string;
  readonly contentEncoding?: string;
  readonly csvDelimiter?: string;
  /** One character per byte, like the next one. */
  readonly csvFields?: string;
  readonly labels?: string;
  readonly timestampField?: string;
}

/** Result of storing a batch. */
export interface StoredBatch {
  readonly ingested: number;
  readonly failed: number;
  /** Why events were rejected, the first ones. */
  readonly failures: readonly string[];
}

/**
 * Stores a batch: in this process, or over HTTP. Resolves when the events are on disk.
 * @throws RejectedBatch if the body can never be stored; other errors are transient
 */
export type Sink = (batch: Batch, signal: AbortSignal) => Promise<StoredBatch>;

/** A batch that can never be stored, because of its body. */
export class RejectedBatch extends Error {
  override readonly name = 'RejectedBatch';
}

export const jsonContent = { format: 'json', contentType: 'application/x-ndjson' } as const satisfies BatchContent;
