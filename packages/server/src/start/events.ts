import { resolve } from 'node:path';
import type { ReferenceData } from '@millrace/apl';
import type { Engine } from '@millrace/engine';
import { serviceSource, settingsOfRuns } from '../alerts/source.js';
import { checkQuery } from '../alerts/check-query.js';
import { removeCopies } from '../durability/metadata-copy.js';
import { newArrivalClock } from '../arrival-clock.js';
import { defaultThreads, Encoders } from '../ingest/encoders.js';
import { IdempotentRequests } from '../ingest/idempotency.js';
import type { IngestRouteDependencies } from '../ingest/routes.js';
import { ingestTargets } from '../ingest/target.js';
import { auditSink } from '../ingest/audit-sink.js';
import { Compilers } from '../query/compile/compilers.js';
import { storedChecks } from '../query/check-stored.js';
import { openQueries, type QueryParts } from '../query/service.js';
import { listen } from '../ingest/sockets/listeners.js';
import { readTls } from '../http/connections/tls.js';
import { eventRoutes } from './route-families.js';
import { loadGeoNetworks } from '../reference/geo-networks.js';
import { Opened } from '../async/opened.js';
import { eventGauges } from './event-gauges.js';
import { encodeLimits } from './event-limits.js';
import { type EventStores, openStorage } from './open-storage.js';
import { markOwn, requireOwn } from './own-directories.js';
import type { Base, EventParts } from './parts.js';
import { errorTranslator } from '../translate-errors.js';

/** Opens the storage over log and engine, and puts the ingest and query routes on top. */
export const openEvents = (base: Base, stores: EventStores): Promise<EventParts> =>
  Opened.during((opened) => openParts(base, stores, opened));

async function openParts(base: Base, stores: EventStores, opened: Opened): Promise<EventParts> {
  const { settings, metadata, logger } = base;
  await removeCopies(resolve(settings.dataDir));
  const engine = await stores.engine;
  const dataDir = resolve(settings.dataDir);
  if (stores.kind === 'logged') await requireOwn(dataDir, metadata);
  const storage = await openStorage(base, stores, engine);
  opened.add(() => storage.close());
  if (stores.kind === 'logged') await markOwn(dataDir, metadata);
  eventGauges(base, engine, stores.kind === 'logged' ? { log: stores.log } : { arrivals: stores.arrivals }, storage);

  const reference = await referenceData(base, engine);
  const arrivalClock = newArrivalClock(base.node.clock);
  const encoders = new Encoders({
    ...settings,
    ingestThreads: settings.ingestThreads === 0 ? defaultThreads() : settings.ingestThreads,
    heapMegabytes: encoderHeapMegabytes,
    expandedBytes: settings.maxDecompressedBytes,
  });
  opened.add(() => encoders.close());
  const ingest: IngestRouteDependencies = {
    storage,
    encoders,
    arrivalClock,
    limits: encodeLimits(base),
    maxBodyBytes: settings.maxBodyBytes,
    settings,
    targets: ingestTargets({ ...base, storage }),
    repeated: new IdempotentRequests(),
    answered: ({ status, repeated }, protocol) => {
      if (repeated) return;
      if (protocol !== undefined) {
        base.metrics.count('protocol_events_total', status.ingested, { protocol, outcome: 'stored' });
        base.metrics.count('protocol_events_total', status.failed, { protocol, outcome: 'failed' });
      }
      base.metrics.count('ingest_events_total', status.ingested);
      base.metrics.count('ingest_failed_events_total', status.failed);
      base.metrics.count('ingest_bytes_total', status.processedBytes);
    },
  };
  const compilers = new Compilers(settings);
  opened.add(() => compilers.close());
  const listeners = await listen({ ...base, ingest, tls: readTls(settings) });
  opened.add(async () => void (await Promise.all(listeners.map((listener) => listener.close()))));
  const parts: QueryParts = { engine, storage, metadata, settings, arrivalClock, compilers, reference };
  const queries = await openQueries(parts, base);
  opened.add(() =>
    queries.history.close().catch((error: unknown) =>
      // No reason for a stop to fail: everything acknowledged is stored.
      logger.warn({ err: error }, 'the last queries of the history could not be written'),
    ),
  );
  return {
    data: storage,
    routes: eventRoutes({ ingest, parts, queries }),
    checks: storedChecks(queries),
    monitored: {
      source: serviceSource(queries, base.clock),
      checkQuery: (draft, principal) => checkQuery(draft, principal, queries),
      translate: errorTranslator(settingsOfRuns(settings)),
    },
    translate: errorTranslator(settings),
    audit: auditSink(ingest, metadata, logger),
    close: () => opened.close(),
  };
}

/** What some functions look up, as far as the settings name files with it. */
async function referenceData({ settings, modelPrices }: Base, engine: Engine): Promise<ReferenceData> {
  return {
    ...(modelPrices !== undefined && { modelPrices }),
    ...(settings.geoNetworks !== undefined && { geoNetworks: await loadGeoNetworks(engine, settings.geoNetworks) }),
  };
}

/** Ten times what a hundred thousand new fields in one body take. */
const encoderHeapMegabytes = 1024;
