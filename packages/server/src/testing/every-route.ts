import { backupRoutes } from '../durability/backup-routes.js';
import { durabilityRoutes } from '../durability/routes.js';
import { otlpRoutes } from '../ingest/otlp/routes.js';
import { ingestRoutes } from '../ingest/routes.js';
import { queryRoutes } from '../query/routes/table.js';
import { withOpenApi } from '../http/openapi.js';
import type { Route } from '../http/route.js';
import { resourceRoutes } from '../routes/table.js';
import { defaultSettings } from '../settings/settings.js';

/** Stands for what handlers work with where none is called. */
export function unused<T extends object>(): T {
  return new Proxy<T>({} as T, { get: () => unused() });
}

/** The whole table of routes, to look at and not to call. */
export function everyRoute(): readonly Route[] {
  const { maxBodyBytes } = defaultSettings();
  return withOpenApi([
    ...ingestRoutes({ ...unused(), maxBodyBytes }),
    ...otlpRoutes({ ...unused(), maxBodyBytes }),
    ...queryRoutes(unused()),
    ...resourceRoutes(unused()),
    ...durabilityRoutes(unused()),
    ...backupRoutes(unused()),
  ]);
}
