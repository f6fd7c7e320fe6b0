import type { MessagePort } from 'node:worker_threads';
import type { CoreModule } from '@millrace/events';
import type { ErrorCode } from '../errors.js';
import type { BodyOptions } from './encode-body.js';
import type { FormatResult } from './formats/format.js';
import type { PackedUses } from './packed-uses.js';

/** What an encoder thread is started with. */
export interface EncoderStart {
  /**
   * The compiled core of the encoder. It is shared, so code that V8 has optimised in one thread is
   * fast in all.
   */
  readonly core: CoreModule;
  /**
   * Decisions about columns arrive here; the thread blocks until they do, because the encoder is
   * synchronous.
   */
  readonly decisions: MessagePort;
  /** One Int32, shared: 0 while the thread waits for a decision. */
  readonly decided: SharedArrayBuffer;
}

/**
 * To the thread: a body in memory of its own, which is transferred for good, and how to read it.
 */
export interface EncodeRequest {
  readonly body: Uint8Array;
  readonly options: BodyOptions;
}

/**
 * From the thread. A large body asks for room first, and again when its size is known. Unless no
 * event can be stored, the thread then asks where the columns go (`place`); then comes one of the
 * last two.
 */
export type EncoderReply =
  /**
   * A large body is going to be expanded, or turned out to be of that size; the thread goes on when
   * there is room for it.
   */
  | { readonly kind: 'expanded'; readonly bytes: number }
  | { readonly kind: 'place'; readonly batch: PackedUses }
  | {
      readonly kind: 'encoded';
      /** The block in one piece, as the log holds it. */
      readonly block: Uint8Array;
      readonly rest: Omit<FormatResult, 'block' | 'uses' | 'placed'>;
      readonly bodyBytes: number;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };
