import { mayHaveMore, type Taken } from '../memory/taken-bytes.js';

/** Too many bytes are acknowledged and not yet in the engine. */
export class StorageBehind extends Error {
  override readonly name = 'StorageBehind';
  readonly pendingBytes: number;
  constructor(pendingBytes: number) {
    super(`${pendingBytes} bytes wait for the engine`);
    this.pendingBytes = pendingBytes;
  }
}

/** @throws StorageBehind unless whoever has `own` of what is taken may have more of the room */
export function requireShare(taken: Taken, room: number): void {
  if (!mayHaveMore(taken, room)) throw new StorageBehind(taken.all);
}
