import type { DecodedMessage, Fields, Message } from './message-schema.js';
import { ingestBounds } from '../ingest-limits.js';

/**
 * Parses messages from a body of one format; writes strings to the `JsonBytes` it was created with.
 */
export interface OtlpReader<S> {
  /** The position of the request message. */
  readonly root: S;
  /** @throws CorruptDataError, MalformedMessageError */
  read<F extends Fields>(message: Message<F>, at: S): DecodedMessage<F, S>;
}

/** @throws MalformedMessageError for a message that is too long */
export function checkLength(bytes: number): void {
  const { max } = ingestBounds.otlpMessageBytes;
  if (bytes > max) throw new MalformedMessageError(`expected at most ${max} bytes, found ${bytes}`);
}

export interface ValueLimits {
  /** Longest string; a longer one is replaced by a note that it was too long. */
  readonly maxValueBytes: number;
  /** Maximum nesting depth; deeper values are null. */
  readonly maxJsonDepth: number;
}

/**
 * A message has an invalid value; the rest of the body can still be parsed. The error text has its
 * position and type.
 */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}
