import type { IngestStatus } from './response.js';
import type { FormatMetadata } from './formats/format.js';

/** Outcome of an ingest request. The protocol's details are absent in a repeated reply. */
export interface IngestReply extends FormatMetadata {
  readonly status: IngestStatus;
  /** Position in the log; absent when no event was stored. */
  readonly position?: bigint;
  /** The events had been stored by an earlier request with the same key. */
  readonly repeated: boolean;
}
