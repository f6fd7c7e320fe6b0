import type { MessagePort } from 'node:worker_threads';
import type { CoreModule } from '@millrace/events';
import type { ErrorCode } from '@millrace/api/errors';
import type { BodyOptions } from './encode-body.js';
import type { FormatResult } from './formats/format.js';
import type { EncodedFieldStats } from './field-stats-codec.js';

/** Startup parameters of an encoder thread. */
export interface EncoderStart {
  /**
   * The compiled core of the encoder. It is shared, so code that V8 has optimized in one thread is
   * fast in all.
   */
  readonly core: CoreModule;
  /**
   * Decisions about columns arrive here; the thread blocks until they do, because the encoder is
   * synchronous.
   */
  readonly decisions: MessagePort;
  /** One shared Int32: 0 while the thread waits for a decision. */
  readonly wakeSignal: SharedArrayBuffer;
}

/**
 * Message to an encoder thread: a body with its own buffer, which is transferred permanently, and
 * its options.
 */
export interface EncodeRequest {
  readonly body: Uint8Array;
  readonly options: BodyOptions;
}

/**
 * Messages from the thread. A large body first requests memory, and again when its size is known.
 * Unless no event can be stored, the thread then requests the placement of columns (`place`). One
 * of the last two messages ends the job.
 */
export type EncoderReply =
  /**
   * A large body is about to be decompressed, or was decompressed to that size; the thread waits
   * for the memory reservation.
   */
  | { readonly kind: 'expanded'; readonly bytes: number }
  | { readonly kind: 'place'; readonly batch: EncodedFieldStats }
  | {
      readonly kind: 'encoded';
      /** The block in one buffer, in the log's format. */
      readonly block: Uint8Array;
      readonly rest: Omit<FormatResult, 'block' | 'uses' | 'placed'>;
      readonly bodyBytes: number;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };
