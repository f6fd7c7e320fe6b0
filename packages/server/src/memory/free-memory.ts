import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Less does not count beside what a request leaves behind anyway, and may be Node's pool, which
 * stands in memory a little larger than it says.
 */
const worthwhile = Math.max(64 * 1024, 2 * Buffer.poolSize);

/**
 * Frees a large piece of memory that nobody reads any more; it is empty afterwards. V8 would notice
 * in time, but it goes by its own heap: a thread that makes few objects keeps tens of megabytes of
 * bodies until it ends.
 */
export function freeMemory(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < worthwhile) return;
  // A closed port takes what is transferred to it and drops it at once; what `structuredClone`
  // transfers is garbage again.
  nowhere.postMessage(undefined, [buffer]);
}
