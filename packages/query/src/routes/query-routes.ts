import type { Route } from '@millrace/http/route';
import { aplRoutes } from './apl-routes.js';
import { batchRoutes } from './batch-routes.js';
import { estimateRoutes } from './estimate-routes.js';
import { exportRoutes } from './export-routes.js';
import { historyRoutes } from './history-routes.js';
import { jobRoutes } from './job-routes.js';
import { lokiRoutes } from './loki-routes.js';
import { metricsInfoRoutes } from './metrics-info-routes.js';
import { mplRoutes } from './mpl-routes.js';
import { prometheusRoutes } from './prometheus-routes.js';
import type { QueryService } from '../service.js';
import { structuredRoutes } from './structured-routes.js';
import { tailRoutes } from './tail-routes.js';

/** Every route that queries events. */
export const queryRoutes = (service: QueryService): readonly Route[] =>
  [
    aplRoutes,
    mplRoutes,
    metricsInfoRoutes,
    prometheusRoutes,
    lokiRoutes,
    structuredRoutes,
    batchRoutes,
    exportRoutes,
    estimateRoutes,
    jobRoutes,
    historyRoutes,
    tailRoutes,
  ].flatMap((routes) => routes(service));
