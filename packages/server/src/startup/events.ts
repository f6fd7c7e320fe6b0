import { resolve } from 'node:path';
import type { ReferenceData } from '@millrace/apl';
import type { Engine } from '@millrace/engine';
import { serviceSource, settingsOfRuns } from '@millrace/alerts/source';
import { checkQuery } from '@millrace/alerts/check-query';
import { sourceSinks } from './source-sink.js';
import { removeCopies } from '../backup/metadata-copy.js';
import { newArrivalClock } from '@millrace/runtime/arrival-clock';
import { defaultThreads, Encoders } from '@millrace/ingest/encoders';
import { IdempotentRequests } from '@millrace/ingest/idempotency';
import type { IngestRouteDependencies } from '@millrace/ingest/routes';
import { ingestTargets } from '@millrace/ingest/target';
import { auditSink } from '@millrace/ingest/audit-sink';
import { selfMetrics } from '@millrace/ingest/series/self-metrics';
import { Compilers } from '@millrace/query/compile/compilers';
import { storedChecks } from '@millrace/query/check-stored';
import { openQueries, type QueryParts } from '@millrace/query/service';
import { listen } from '@millrace/ingest/sockets/listeners';
import { readTls } from '@millrace/http/connections/tls';
import { eventRoutes } from './route-families.js';
import { loadGeoNetworks } from '../lookup-data/geo-networks.js';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import { eventGauges } from './event-gauges.js';
import { encodeLimits } from './event-limits.js';
import { type EventStores, openStorage } from './open-storage.js';
import { markDirectory, requireSameServer } from './private-directories.js';
import { version } from './version.js';
import type { Base, EventParts } from './types.js';
import { errorTranslator } from '@millrace/query/translate-errors';

/** Opens the storage over log and engine, and puts the ingest and query routes on top. */
export const openEvents = (base: Base, stores: EventStores): Promise<EventParts> =>
  CloseStack.run((opened) => openParts(base, stores, opened));

async function openParts(base: Base, stores: EventStores, opened: CloseStack): Promise<EventParts> {
  const { settings, metadata, logger } = base;
  await removeCopies(resolve(settings.dataDir));
  const engine = await stores.engine;
  const dataDir = resolve(settings.dataDir);
  if (stores.kind === 'logged') await requireSameServer(dataDir, metadata);
  const storage = await openStorage(base, stores, engine);
  opened.add(() => storage.close());
  if (stores.kind === 'logged') await markDirectory(dataDir, metadata);
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
      logger.warn({ err: error }, 'could not write the last queries of the history'),
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
    sinkOf: sourceSinks(ingest, metadata),
    writeMetrics: (dataset, instance) => selfMetrics({ dataset, instance, version }, { ...base, ...ingest }),
    close: () => opened.close(),
  };
}

/** Loads the reference data of lookup functions from the files that the settings name. */
async function referenceData({ settings, modelPrices }: Base, engine: Engine): Promise<ReferenceData> {
  return {
    ...(modelPrices !== undefined && { modelPrices }),
    ...(settings.geoNetworks !== undefined && { geoNetworks: await loadGeoNetworks(engine, settings.geoNetworks) }),
  };
}

/** Ten times the heap for a hundred thousand new fields in one body. */
const encoderHeapMegabytes = 1024;
