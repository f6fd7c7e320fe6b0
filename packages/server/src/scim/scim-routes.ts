import type { Route } from '@millrace/http/route';
import type { Deps } from '../routes/deps.js';
import { scimDiscoveryRoutes } from './discovery-routes.js';
import { scimGroupRoutes } from './group-routes.js';
import { scimUserRoutes } from './user-routes.js';

/** SCIM 2.0 (RFC 7644): a provider pushes users and groups. */
export const scimRoutes = (deps: Deps): readonly Route[] => [
  ...scimDiscoveryRoutes(),
  ...scimUserRoutes(deps),
  ...scimGroupRoutes(deps),
];
