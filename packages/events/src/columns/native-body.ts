/** A column as Native wants it, before it has a place. */
export interface NativeBody {
  readonly bytes: number;
  /** Writes all of it to memory of that size. */
  readonly write: (to: Uint8Array) => void;
}
