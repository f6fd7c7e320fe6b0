import type { Route } from '../routes/route.js';
import { aplRoutes } from './apl-routes.js';
import { historyRoutes } from './history-routes.js';
import type { QueryService } from './service.js';
import { structuredRoutes } from './structured-routes.js';

/** Every route that queries events. */
export const queryRoutes = (service: QueryService): readonly Route[] => [
  ...aplRoutes(service),
  ...structuredRoutes(service),
  ...historyRoutes(service),
];
