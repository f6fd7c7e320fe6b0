import type { EncodeOptions, EncodeResult } from '@millrace/events';
import type { BodyOptions } from '../encode-body.js';

/** What a body became, and what its protocol wants to know besides. */
export type FormatResult = EncodeResult & Told;

/** What a format says of a body besides its events. */
export interface Told {
  /** For a protocol that answers for each event: what became of each. */
  readonly items?: Uint8Array;
  /** Datasets that the body has events for besides those of the part that was read. */
  readonly others?: readonly string[];
}

/** A format of bodies with events. All of them are listed in `body-formats.ts`. */
export interface BodyFormat {
  /** Media types that an error tells a client to send. */
  readonly mediaTypes: readonly string[];
  /** Whether a body of this `Content-Type` is in the format. */
  detects(contentType: string): boolean;
  /** Bodies of this many bytes and more are encoded in a thread. */
  readonly threadFrom: number;
  /**
   * The events may take many times as much as the body: a small one that does is encoded in a
   * thread, too.
   */
  readonly grows?: true;
  /**
   * The body as columns.
   * @param body without its content encoding
   * @throws HttpError when the body as a whole is wrong; a single bad event is listed in `failures`
   */
  encode(body: Uint8Array, options: BodyOptions, encodeOptions: EncodeOptions): FormatResult;
}

/**
 * A body of this size takes about a millisecond to encode; handing it to a thread costs a tenth of
 * that.
 */
export const usualThreadFrom = 256 * 1024;
