import type { Engine } from '@millrace/engine';

/**
 * Whether to send events to the engine. Replicas are `restarting` while some tables have no leader,
 * and accept events for all others; an insert waits for the leader of its table.
 */
export function isWritable(engine: Engine): boolean {
  const { state } = engine.health();
  return state === 'ready' || (state === 'restarting' && engine.replication !== undefined);
}
