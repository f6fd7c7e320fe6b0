import type { MessagePort } from 'node:worker_threads';
import type { CoreModule, EncodeResult } from '@millrace/events';
import type { ErrorCode } from '../errors.js';
import type { BodyOptions } from './encode-body.js';
import type { PackedUses } from './packed-uses.js';

/** What an encoder thread is started with. */
export interface EncoderStart {
  /** The compiled core of the encoder: what one thread has made fast is fast in all of them. */
  readonly core: CoreModule;
  /** Decisions about columns arrive here; the thread waits for them, as the encoder does. */
  readonly decisions: MessagePort;
  /** One Int32, shared: 0 while the thread waits for a decision. */
  readonly decided: SharedArrayBuffer;
}

/** To the thread: a body in memory of its own, which it gets for good, and how to read it. */
export interface EncodeRequest {
  readonly body: Uint8Array;
  readonly options: BodyOptions;
}

/** From the thread. First, unless nothing was stored, where the columns go is asked; then comes one of the others. */
export type EncoderReply =
  | { readonly kind: 'place'; readonly batch: PackedUses }
  | {
      readonly kind: 'encoded';
      /** The block in one piece, as the log holds it. */
      readonly block: Uint8Array;
      readonly rest: Omit<EncodeResult, 'block' | 'uses' | 'placed'>;
      readonly bodyBytes: number;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };
