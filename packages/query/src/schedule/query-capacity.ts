import type { Settings } from '@millrace/http/settings/settings';
import { ExportSlots } from './export-slots.js';
import { MemoryBroker } from './memory-shares.js';
import { type EngineMemory, QueryScheduler } from './query-scheduler.js';

/** Slots, sessions and memory of the engine for the queries of all organizations. */
export class QueryCapacity {
  readonly scheduler: QueryScheduler;
  readonly exportSlots: ExportSlots;

  constructor(settings: Settings) {
    this.scheduler = new QueryScheduler(settings.engineSessions, engineMemoryOf(settings));
    // One session is for backups.
    this.exportSlots = new ExportSlots({ ...settings, atOnce: settings.exportSessions - 1 });
  }
}

/**
 * Half of the engine's memory is for large queries, a quarter for exports, and the rest for the
 * guaranteed size of queries and for everything else. The memory of a remote ClickHouse server is
 * not known.
 */
function engineMemoryOf(settings: Settings): EngineMemory {
  const { clickhouseUrl, engineMemoryBytes, queryMemoryBytes: maxBytes, queryTimeout: patience } = settings;
  const isEmbedded = clickhouseUrl === undefined;
  const guaranteedBytes = isEmbedded ? Math.min(maxBytes, settings.assuredQueryMemoryBytes) : maxBytes;
  const shares = (part: number) =>
    new MemoryBroker({ totalBytes: engineMemoryBytes * part, maxBytes, guaranteedBytes });
  return { queries: shares(1 / 2), exports: shares(1 / 4), patience };
}
