import type { TextBytes } from './bytes.js';

/** A column as Native wants it, before it has a place. */
export interface NativeBody {
  readonly bytes: number;
  /** Writes all of it to `to` from `start` on. */
  readonly write: (to: TextBytes, start: number) => void;
}
