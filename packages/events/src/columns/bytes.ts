/** Up to this size bytes are copied word by word. */
const SHORT = 192;

/** Memory with undefined content; the caller must write all of it. */
export function uninitializedBytes(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
}

/** The bytes of a text, with a view of them. */
export interface TextBytes {
  readonly buffer: Uint8Array;
  readonly view: DataView;
}

export function textBytes(buffer: Uint8Array): TextBytes {
  return { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length) };
}

/** Copies bytes; short copies avoid the fixed cost of a call into the runtime. */
export function copyShort(from: TextBytes, at: number, to: TextBytes, toAt: number, length: number): void {
  if (length > SHORT) {
    to.buffer.set(from.buffer.subarray(at, at + length), toAt);
  } else if (length < 4) {
    for (let i = 0; i < length; i++) to.buffer[toAt + i] = from.buffer[at + i]!;
  } else {
    const { view: source } = from;
    const { view: target } = to;
    // The last word may overlap the one before.
    const last = length - 4;
    for (let i = 0; i < last; i += 4) target.setInt32(toAt + i, source.getInt32(at + i, true), true);
    target.setInt32(toAt + last, source.getInt32(at + last, true), true);
  }
}
