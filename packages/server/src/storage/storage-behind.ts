/** Too many bytes are acknowledged and not yet in the engine. */
export class StorageBehind extends Error {
  override readonly name = 'StorageBehind';
  readonly pendingBytes: number;
  constructor(pendingBytes: number) {
    super(`${pendingBytes} bytes wait for the engine`);
    this.pendingBytes = pendingBytes;
  }
}
