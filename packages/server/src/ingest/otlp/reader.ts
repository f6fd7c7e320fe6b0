import type { Decoded, Fields, Message } from './message-schema.js';
import { ingestBounds } from '../ingest-bounds.js';

/**
 * Reads messages from a body of one format; texts are written to the `JsonBytes` it was made with.
 */
export interface OtlpReader<S> {
  /** The place of the request itself. */
  readonly root: S;
  /** @throws DamagedError, MisshapenError */
  read<F extends Fields>(message: Message<F>, at: S): Decoded<F, S>;
}

/** @throws MisshapenError for a message that is too long */
export function checkLength(bytes: number): void {
  const { most } = ingestBounds.otlpMessageBytes;
  if (bytes > most) throw new MisshapenError(`expected at most ${most} bytes, found ${bytes}`);
}

export interface ValueLimits {
  /** Longest string; a longer one is replaced by a note that it was too long. */
  readonly maxValueBytes: number;
  /** Most levels of nesting; deeper values are null. */
  readonly maxJsonDepth: number;
}

/**
 * A message holds something it must not hold; the rest of the body can still be read. The text says
 * where and what it is.
 */
export class MisshapenError extends Error {
  override readonly name = 'MisshapenError';
}
