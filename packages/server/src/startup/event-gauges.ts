import { statfsSync } from 'node:fs';
import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import type { EventStorage } from '@millrace/storage/event-storage';
import type { Base } from './types.js';

/** Metrics of the event storage. */
export function eventGauges(
  { metrics, settings, node }: Base,
  engine: Engine,
  { log, arrivals }: { readonly log?: Log; readonly arrivals?: PositionAllocator },
  storage: EventStorage,
): void {
  metrics.gauge('log_bytes', () => log?.stats().bytes ?? 0);
  metrics.gauge('log_fsync_seconds', () => (log?.stats().lastSyncMilliseconds ?? 0) / 1000);
  metrics.gauge('disk_free_bytes', () => {
    const { bavail, bsize } = statfsSync(settings.dataDir);
    return bavail * bsize;
  });
  metrics.gauge('flush_pending_bytes', () => storage.pendingBytes);
  metrics.gauge('cold_bytes', () => storage.coldBytes);
  metrics.gauge('refused_batches', () => storage.ledger.quarantinedPositions.length);
  metrics.gauge('missing_events', () => storage.ledger.inventory.missing.reduce((sum, { events }) => sum + events, 0));
  metrics.gauge('nodes_live', () => node.live());
  metrics.gauge('node_is_leader', () => (node.isLeader() ? 1 : 0));
  metrics.gauge('shards_ready', () => storage.shards.ready().filter((isReady) => isReady).length);
  metrics.gauge('inserts_in_flight', () => arrivals?.inFlight ?? 0);
  metrics.gauge('settled', () => (storage.isIdle ? 1 : 0));
  metrics.gauge('engine_ready', () => (engine.health().state === 'ready' ? 1 : 0));
  metrics.gauge('engine_restarts', () => engine.health().restarts);
  metrics.gauge('engine_memory_bytes', () => engine.health().memoryBytes);
}
