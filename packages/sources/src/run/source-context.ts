import type { Logger } from 'pino';
import type { AddressRules } from '@millrace/http/outgoing/addresses';
import type { Batch, StoredBatch } from './batch.js';
import type { ObjectLedger } from './object-ledger.js';
import type { Progress } from './progress.js';

/** What a running source gets from the process that runs it. */
export interface SourceContext {
  /** Identifies the source in idempotency keys. */
  readonly id: string;
  /** Ends the run. */
  readonly signal: AbortSignal;
  readonly batchBytes: number;
  /** Milliseconds. */
  readonly batchAge: number;
  /**
   * Stores a batch, with retries until it is stored or rejected.
   * @throws RejectedBatch, and the reason of the signal when it aborts
   */
  readonly store: (batch: Batch) => Promise<StoredBatch>;
  readonly progress: Progress;
  /** The objects that were read before. */
  readonly objects: ObjectLedger;
  /** Undefined where the operator names the addresses. */
  readonly addresses: AddressRules | undefined;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}
