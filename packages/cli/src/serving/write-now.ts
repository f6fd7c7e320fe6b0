import { writeSync } from 'node:fs';

const betweenMilliseconds = 10;

/**
 * Writes synchronously, without a stream, whose errors end the process.
 * @param milliseconds maximum wait for the reader of a full pipe
 * @returns whether all of it was written
 */
export function writeNow(descriptor: number, text: string | Uint8Array, milliseconds = 1000): boolean {
  const until = performance.now() + milliseconds;
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const full = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!full || performance.now() >= until) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenMilliseconds);
    }
  }
  return true;
}
