import type { Route } from '@millrace/http/route';
import { eventRoutes, allRoutes } from '../startup/route-families.js';
import { defaultSettings } from '@millrace/http/settings/settings';

/** Placeholder for dependencies of handlers that are never called. */
export function unusedDependency<T extends object>(): T {
  return new Proxy<T>({} as T, { get: () => unusedDependency() });
}

/** The routes that need an engine, for inspection only. */
export const unusedEventRoutes = (): readonly Route[] =>
  eventRoutes({
    ingest: { ...unusedDependency(), maxBodyBytes: defaultSettings().maxBodyBytes, settings: defaultSettings() },
    queries: unusedDependency(),
    parts: unusedDependency(),
  });

/** The complete route table, for inspection only. */
export const everyRoute = (): readonly Route[] => allRoutes(unusedEventRoutes(), unusedDependency());
