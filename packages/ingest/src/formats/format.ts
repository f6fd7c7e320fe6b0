import type { EncodeOptions, EncodeResult } from '@millrace/events';
import type { BodyOptions } from '../encode-body.js';

/** The encoded body, with the details that its protocol reports. */
export type FormatResult = EncodeResult & FormatMetadata;

/** Details that a format reports in addition to the events. */
export interface FormatMetadata {
  /** Outcome per event, for protocols that report it. */
  readonly items?: Uint8Array;
  /** Other datasets that the body has events for, if only a part was read. */
  readonly others?: readonly string[];
  /** Keys of the series that the rows of a metrics dataset describe. */
  readonly described?: BigInt64Array;
}

/** How a format encodes events. */
export interface FormatOptions extends EncodeOptions {
  /** Called before events that are written as lines take this many bytes. */
  readonly growing?: ((bytes: number) => void) | undefined;
}

/** A format of bodies with events. All of them are listed in `body-formats.ts`. */
export interface BodyFormat {
  /** Media types that errors suggest to a client. */
  readonly mediaTypes: readonly string[];
  /** Whether a body of this `Content-Type` is in the format. */
  detects(contentType: string): boolean;
  /** Bodies of this many bytes and more are encoded in a thread. */
  readonly threadFrom: number;
  /**
   * The events may be many times as large as the body: such small bodies are encoded in a thread,
   * too.
   */
  readonly grows?: true;
  /** Its rows describe series, unless `BodyOptions.described` has them. */
  readonly describesSeries?: true;
  /**
   * Encodes the body as columns.
   * @param body without its content encoding
   * @throws HttpError when the body as a whole is invalid; invalid events are listed in `failures`
   */
  encode(body: Uint8Array, options: BodyOptions, encodeOptions: FormatOptions): FormatResult;
}

/**
 * A body of this size takes about a millisecond to encode; handing it to a thread costs a tenth of
 * that.
 */
export const threadFromBytes = 256 * 1024;
