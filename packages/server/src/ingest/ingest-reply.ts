import type { IngestStatus } from './answer.js';
import type { Told } from './formats/format.js';

/**
 * What became of the events of a request. What the protocol wants to know is absent when the reply
 * is repeated.
 */
export interface IngestReply extends Told {
  readonly status: IngestStatus;
  /** Position in the log; absent when no event was stored. */
  readonly position?: bigint;
  /** The events had been stored by an earlier request with the same key. */
  readonly repeated: boolean;
}
