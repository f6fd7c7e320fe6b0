import { backupRoutes } from '../durability/backup-routes.js';
import { durabilityRoutes } from '../durability/routes.js';
import { withOpenApi } from '../http/table/openapi.js';
import type { Route } from '../http/route.js';
import { protocolRoutes } from '../ingest/protocol-routes.js';
import { otlpRoutes } from '../ingest/otlp/routes.js';
import { ingestRoutes, type IngestRouteDependencies } from '../ingest/routes.js';
import { queryRoutes } from '../query/routes/query-routes.js';
import type { QueryParts, QueryService } from '../query/service.js';
import type { Deps } from '../routes/deps.js';
import { resourceRoutes } from '../routes/resource-routes.js';

/** What the routes of events and queries work with. */
interface EventRouteDeps {
  readonly ingest: IngestRouteDependencies;
  readonly queries: QueryService;
  readonly parts: QueryParts;
}

/**
 * The families of routes that need the engine. The server, the access walk and the pages take them
 * from here.
 */
const eventFamilies: readonly ((deps: EventRouteDeps) => readonly Route[])[] = [
  ({ ingest }) => ingestRoutes(ingest),
  ({ ingest }) => otlpRoutes(ingest),
  ({ ingest }) => protocolRoutes(ingest),
  ({ queries }) => queryRoutes(queries),
  ({ queries }) => durabilityRoutes(queries),
  ({ parts }) => backupRoutes(parts),
];

export const eventRoutes = (deps: EventRouteDeps): readonly Route[] => eventFamilies.flatMap((family) => family(deps));

/**
 * The whole table of routes: those of events, those of resources, and the one that describes them
 * all.
 */
export const wholeTable = (events: readonly Route[], resources: Deps): readonly Route[] =>
  withOpenApi([...events, ...resourceRoutes(resources)]);
