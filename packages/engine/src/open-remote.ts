import type { Engine } from './engine.js';
import type { RemoteOptions } from './remote.js';

/**
 * Opens a database of a ClickHouse server, over HTTP, for one owner alone. The implementation is
 * loaded by this call: a start with the embedded engine does not wait for it.
 * @throws UnreachableError if the server does not respond; EngineError if it does not accept this
 * user; ClaimError if the database cannot be this owner's
 */
export async function openRemote(options: RemoteOptions): Promise<Engine> {
  const { connect } = await import('./remote.js');
  return connect(options);
}
