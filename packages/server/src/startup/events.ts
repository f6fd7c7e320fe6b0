import { resolve } from 'node:path';
import { serviceSource, settingsOfRuns } from '@millrace/alerts/source';
import { checkQuery } from '@millrace/alerts/check-query';
import { sourceSinks } from './source-sink.js';
import { removeCopies } from '../backup/metadata-copy.js';
import { newArrivalClock } from '@millrace/runtime/arrival-clock';
import { IdempotentRequests } from '@millrace/ingest/idempotency';
import type { IngestRouteDependencies } from '@millrace/ingest/routes';
import { ingestTargets } from '@millrace/ingest/target';
import { auditSink } from '@millrace/ingest/audit-sink';
import { selfMetrics } from '@millrace/ingest/series/self-metrics';
import { storedChecks } from '@millrace/query/check-stored';
import { openQueries, type QueryParts } from '@millrace/query/service';
import { listen } from '@millrace/ingest/sockets/listeners';
import { readTls } from '@millrace/http/connections/tls';
import { eventRoutes } from './route-families.js';
import { engineOfOrg } from '@millrace/storage/tables/database-name';
import { openSharedParts } from './shared-parts.js';
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
  const { settings, metadata, logger, limits } = base;
  await removeCopies(resolve(settings.dataDir));
  const whole = await stores.engine;
  const engine = engineOfOrg(whole, metadata.datasets.orgNumber);
  opened.add(async () => {
    if (engine !== whole) await engine.close();
  });
  const dataDir = resolve(settings.dataDir);
  if (stores.kind === 'logged') await requireSameServer(dataDir, metadata);
  const storage = await openStorage(base, stores, engine);
  opened.add(() => storage.close());
  if (stores.kind === 'logged') await markDirectory(dataDir, metadata);
  eventGauges(base, engine, stores.kind === 'logged' ? { log: stores.log } : { arrivals: stores.arrivals }, storage);

  const shared = stores.shared ?? (await openSharedParts(base, whole, opened));
  const { reference, encoders, compilers, capacity } = shared;
  const arrivalClock = newArrivalClock(base.node.clock);
  const ingest: IngestRouteDependencies = {
    storage,
    encoders,
    arrivalClock,
    limits: encodeLimits(base),
    maxBodyBytes: settings.maxBodyBytes,
    settings,
    targets: ingestTargets({ ...base, storage }),
    repeated: new IdempotentRequests(),
    ...(limits !== undefined && { requireQuota: () => limits.usage.requireIngest() }),
    answered: ({ status, repeated }, protocol) => {
      if (repeated) return;
      if (protocol !== undefined) {
        base.metrics.count('protocol_events_total', status.ingested, { protocol, outcome: 'stored' });
        base.metrics.count('protocol_events_total', status.failed, { protocol, outcome: 'failed' });
      }
      limits?.usage.add(status.processedBytes);
      base.metrics.count('ingest_events_total', status.ingested);
      base.metrics.count('ingest_failed_events_total', status.failed);
      base.metrics.count('ingest_bytes_total', status.processedBytes);
    },
  };
  // Their settings name one dataset, which is the first organization's.
  const listeners = stores.shared === undefined ? await listen({ ...base, ingest, tls: readTls(settings) }) : [];
  opened.add(async () => void (await Promise.all(listeners.map((listener) => listener.close()))));
  const parts: QueryParts = { engine, storage, metadata, settings, arrivalClock, compilers, reference };
  const queries = await openQueries(parts, {
    logger,
    metrics: base.metrics,
    capacity,
    ...(limits !== undefined && { limits: queryLimits(limits) }),
  });
  opened.add(() =>
    queries.history.close().catch((error: unknown) =>
      // No reason for a stop to fail: everything acknowledged is stored.
      logger.warn({ err: error }, 'could not write the last queries of the history'),
    ),
  );
  return {
    data: storage,
    shared,
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

/** The limits of an organization for its queries. */
const queryLimits = ({ limitsOf }: NonNullable<Base['limits']>) => ({
  maxQueries: () => limitsOf().concurrentQueries ?? Number.POSITIVE_INFINITY,
  maxQueryBytes: () => limitsOf().queryMemoryBytes ?? Number.POSITIVE_INFINITY,
});
