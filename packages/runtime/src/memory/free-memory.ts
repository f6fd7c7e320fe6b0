import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Smaller buffers do not matter compared with the other garbage of a request, and may be Node's
 * pool, whose size in memory is slightly larger than reported.
 */
const worthwhile = Math.max(64 * 1024, 2 * Buffer.poolSize);

/**
 * Frees a large buffer that is no longer used; it is empty afterwards. V8 would free it later, but
 * its schedule depends on the JavaScript heap: a thread that makes few objects would retain tens of
 * megabytes of bodies until it ends.
 */
export function freeMemory(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < worthwhile) return;
  // A closed port drops transferred buffers at once; `structuredClone` would only turn them into
  // garbage again.
  nowhere.postMessage(undefined, [buffer]);
}
