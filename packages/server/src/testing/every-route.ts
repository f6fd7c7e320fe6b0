import type { Route } from '../http/route.js';
import { eventRoutes, wholeTable } from '../start/route-families.js';
import { defaultSettings } from '../settings/settings.js';

/** Stands for what handlers work with where none is called. */
export function unused<T extends object>(): T {
  return new Proxy<T>({} as T, { get: () => unused() });
}

/** The routes that need an engine, to look at and not to call. */
export const unusedEventRoutes = (): readonly Route[] =>
  eventRoutes({
    ingest: { ...unused(), maxBodyBytes: defaultSettings().maxBodyBytes },
    queries: unused(),
    parts: unused(),
  });

/** The whole table of routes, to look at and not to call. */
export const everyRoute = (): readonly Route[] => wholeTable(unusedEventRoutes(), unused());
