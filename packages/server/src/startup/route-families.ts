import { backupRoutes } from '../backup/backup-routes.js';
import { durabilityRoutes } from '../backup/routes.js';
import { addOpenApi } from '@millrace/http/route-table/openapi';
import type { Route } from '@millrace/http/route';
import { protocolRoutes } from '@millrace/ingest/protocol-routes';
import { otlpRoutes } from '@millrace/ingest/otlp/routes';
import { ingestRoutes, type IngestRouteDependencies } from '@millrace/ingest/routes';
import { mcpRoutes } from '@millrace/mcp/routes';
import { queryRoutes } from '@millrace/query/routes/query-routes';
import type { QueryParts, QueryService } from '@millrace/query/service';
import type { Deps } from '../routes/deps.js';
import { scimRoutes } from '../scim/scim-routes.js';
import { resourceRoutes } from '../routes/resource-routes.js';
import { version } from './version.js';

/** Dependencies of ingest and query routes. */
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
  ({ queries }) => mcpRoutes(queries, version),
  ({ parts }) => backupRoutes(parts),
];

export const eventRoutes = (deps: EventRouteDeps): readonly Route[] => eventFamilies.flatMap((family) => family(deps));

/** The complete route table: ingest and query routes, resources, and the OpenAPI route. */
export const allRoutes = (events: readonly Route[], resources: Deps): readonly Route[] =>
  addOpenApi([...events, ...resourceRoutes(resources), ...scimRoutes(resources)]);
