import type { Catalog, CompileOptions } from '@millrace/apl';
import { isAllowed, type Principal } from '@millrace/http/access/authorize';
import type { View, VirtualField } from '@millrace/api/schemas/query-resources';
import type { Asker } from './compile/compilers.js';
import { catalogFor } from './compile/catalog.js';
import { optionsOfSettings } from './compile/options.js';
import { queryError } from './compile/query-error.js';
import type { QueryService } from './service.js';

/**
 * Compiles views and virtual fields before they are stored, with the permissions of the user who
 * stores them.
 */
export function storedChecks(service: QueryService) {
  const catalogOf = (principal: Principal): Promise<Catalog> =>
    catalogFor({ may: (need) => isAllowed(principal, need) }, service);
  return {
    view: async (view: Pick<View, 'name' | 'aplQuery'>, principal: Principal): Promise<void> => {
      const { aplQuery } = view;
      const catalog = await catalogOf(principal);
      const compiled = await service.compilers.compile(
        { kind: 'text', text: aplQuery },
        checkOptions(addView(catalog, view), service),
        askerOf(principal),
      );
      if (compiled.kind === 'failed') throw queryError(aplQuery, compiled.diagnostics);
    },
    expression: async (
      { expression, dataset }: Pick<VirtualField, 'expression' | 'dataset'>,
      principal: Principal,
    ): Promise<void> => {
      const catalog = await catalogOf(principal);
      const compiled = await service.compilers.compile(
        { kind: 'expression', text: expression, dataset },
        checkOptions(addDataset(catalog, dataset), service),
        askerOf(principal),
      );
      if (compiled.kind === 'failed') throw queryError(expression, compiled.diagnostics);
    },
  };
}

/** The compilation cannot be canceled; it ends with the time limit on compiling. */
export const askerOf = (principal: Principal): Asker => ({
  token: principal.kind === 'anonymous' ? '' : principal.tokenId,
  signal: new AbortController().signal,
});

export const checkOptions = (catalog: Catalog, { settings, arrivalClock }: QueryService): CompileOptions => {
  const now = arrivalClock();
  return {
    catalog,
    now,
    // An empty range: the stored query may be used with ranges of any length, so no step of a
    // series is too small for all of them.
    range: { start: now, end: now, given: { start: false, end: false } },
    ...optionsOfSettings(settings),
  };
};

/** The catalog as it would be with the view stored. */
function addView(catalog: Catalog, { name, aplQuery }: Pick<View, 'name' | 'aplQuery'>): Catalog {
  const view = (requested: string): string | undefined => (requested === name ? aplQuery : catalog.view?.(requested));
  const { inViews } = catalog;
  if (inViews === undefined) return { ...catalog, view };
  return {
    ...catalog,
    view,
    inViews: { ...inViews, view: (requested) => (requested === name ? aplQuery : inViews.view?.(requested)) },
  };
}

/**
 * Adds the dataset without its fields if the user may not query it, so that errors in the
 * expression reveal no field names.
 */
const addDataset = (catalog: Catalog, name: string): Catalog => ({
  ...catalog,
  dataset: (requested) =>
    requested === name && !catalog.names.includes(name)
      ? { name, database: '', table: '', fields: new Map(), virtualFields: new Map() }
      : catalog.dataset(requested),
});
