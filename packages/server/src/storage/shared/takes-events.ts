import type { Engine } from '@millrace/engine';

/**
 * Whether it makes sense to send events there. Replicas are restarting while some tables have no
 * home, and take events for all others; an insert waits for the home of its table by itself.
 */
export function takesEvents(engine: Engine): boolean {
  const { state } = engine.health();
  return state === 'ready' || (state === 'restarting' && engine.replication !== undefined);
}
