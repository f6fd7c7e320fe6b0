import { annotationRoutes } from './annotations.js';
import { catalogRoutes } from './catalog.js';
import { consolePageRoutes } from './console-pages.js';
import { datasetRoutesV1 } from './datasets-v1.js';
import { datasetRoutesV2 } from './datasets-v2.js';
import type { Deps } from './deps.js';
import { dashboardRoutes } from './dashboards.js';
import { evaluationRoutes } from './evaluations.js';
import { fieldRoutes } from './fields.js';
import { groupRoutes } from './access/groups.js';
import { mapFieldRoutes } from './map-fields.js';
import { messageLinkRoutes } from './public-pages/message-links.js';
import { monitorRoutes } from './monitors.js';
import { notifierRoutes } from './notifiers.js';
import { nodeRoutes } from './nodes.js';
import { operationRoutes } from './operations.js';
import { orgRoutes } from './access/orgs.js';
import { personalTokenRoutes } from './access/personal-tokens.js';
import { roleRoutes } from './access/roles.js';
import type { Route } from '@millrace/http/route';
import { notificationRouteRoutes } from './notification-routes.js';
import { sourceRoutes } from './sources.js';
import { silenceRoutes } from './silences.js';
import { sloRoutes } from './slos.js';
import { shardRoutes } from './shards.js';
import { schemaRoutes } from './schema.js';
import { deviceCodeRoutes } from './access/device-codes.js';
import { identityRoutes } from './access/identities.js';
import { providerSignInRoutes } from './access/provider-sign-in.js';
import { sessionRoutes } from './access/sessions.js';
import { tokenExchangeRoutes } from './access/token-exchange.js';
import { statusPageRoutes } from './public-pages/status-page.js';
import { starredQueryRoutes } from './starred-queries.js';
import { tokenRoutes } from './access/tokens.js';
import { currentUserRoutes } from './access/current-user.js';
import { userRoutes } from './access/users.js';
import { viewRoutes } from './views.js';
import { virtualFieldRoutes } from './virtual-fields.js';

/**
 * All routes of resources and operations. Ingest and query routes are added when the server is
 * assembled.
 */
export function resourceRoutes(deps: Deps): readonly Route[] {
  return [
    ...datasetRoutesV2(deps),
    ...datasetRoutesV1(deps),
    ...fieldRoutes(deps),
    ...mapFieldRoutes(deps),
    ...schemaRoutes(deps),
    ...tokenRoutes(deps),
    ...personalTokenRoutes(deps),
    ...currentUserRoutes(deps),
    ...userRoutes(deps),
    ...roleRoutes(deps),
    ...groupRoutes(deps),
    ...orgRoutes(deps),
    ...annotationRoutes(deps),
    ...virtualFieldRoutes(deps),
    ...viewRoutes(deps),
    ...starredQueryRoutes(deps),
    ...dashboardRoutes(deps),
    ...evaluationRoutes(deps),
    ...monitorRoutes(deps),
    ...messageLinkRoutes(deps),
    ...notifierRoutes(deps),
    ...silenceRoutes(deps),
    ...sourceRoutes(deps),
    ...sloRoutes(deps),
    ...statusPageRoutes(deps),
    ...notificationRouteRoutes(deps),
    ...operationRoutes(deps),
    ...nodeRoutes(deps),
    ...shardRoutes(deps),
    ...catalogRoutes(deps),
    ...sessionRoutes(deps),
    ...providerSignInRoutes(deps),
    ...identityRoutes(deps),
    ...deviceCodeRoutes(deps),
    ...tokenExchangeRoutes(deps),
    ...consolePageRoutes(deps),
  ];
}
