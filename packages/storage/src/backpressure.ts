import { withinFairShare, type Usage } from '@millrace/runtime/memory/fair-share';

/** Too many bytes are acknowledged and not yet in the engine. */
export class BackpressureError extends Error {
  override readonly name = 'BackpressureError';
  readonly pendingBytes: number;
  constructor(pendingBytes: number) {
    super(`${pendingBytes} bytes wait for the engine`);
    this.pendingBytes = pendingBytes;
  }
}

/** @throws BackpressureError unless the quota key with `own` bytes may use more of the capacity */
export function assertFairShare(taken: Usage, room: number): void {
  if (!withinFairShare(taken, room)) throw new BackpressureError(taken.all);
}
