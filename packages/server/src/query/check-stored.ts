import type { Catalogue, CompileOptions } from '@millrace/apl';
import { allowed, type Principal } from '../access/allowed.js';
import type { View, VirtualField } from '../schemas/query-resources.js';
import type { Asker } from './compile/compilers.js';
import { catalogueFor } from './compile/catalogue.js';
import { optionsOfSettings } from './compile/options.js';
import { queryError } from './compile/query-error.js';
import type { QueryService } from './service.js';

/**
 * Compiles views and virtual fields that are about to be stored, with the rights of whoever stores
 * them.
 */
export function storedChecks(service: QueryService) {
  const catalogueOf = (principal: Principal): Promise<Catalogue> =>
    catalogueFor({ may: (need) => allowed(principal, need) }, service);
  return {
    view: async (view: Pick<View, 'name' | 'aplQuery'>, principal: Principal): Promise<void> => {
      const { aplQuery } = view;
      const catalogue = await catalogueOf(principal);
      const compiled = await service.compilers.compile(
        { kind: 'text', text: aplQuery },
        checkOptions(withView(catalogue, view), service),
        askerOf(principal),
      );
      if (compiled.kind === 'failed') throw queryError(aplQuery, compiled.diagnostics);
    },
    expression: async (
      { expression, dataset }: Pick<VirtualField, 'expression' | 'dataset'>,
      principal: Principal,
    ): Promise<void> => {
      const catalogue = await catalogueOf(principal);
      const compiled = await service.compilers.compile(
        { kind: 'expression', text: expression, dataset },
        checkOptions(withDataset(catalogue, dataset), service),
        askerOf(principal),
      );
      if (compiled.kind === 'failed') throw queryError(expression, compiled.diagnostics);
    },
  };
}

/** Nobody can stop it: it ends with the time limit on compiling. */
export const askerOf = (principal: Principal): Asker => ({
  token: principal.kind === 'anonymous' ? '' : principal.tokenId,
  signal: new AbortController().signal,
});

export const checkOptions = (catalogue: Catalogue, { settings, arrivalClock }: QueryService): CompileOptions => {
  const now = arrivalClock();
  return {
    catalogue,
    now,
    // An empty range: the stored query may be used with ranges of any length, so no step of a
    // series is too small for all of them.
    range: { start: now, end: now, given: { start: false, end: false } },
    ...optionsOfSettings(settings),
  };
};

/** The catalogue as it would be with the view stored. */
function withView(catalogue: Catalogue, { name, aplQuery }: Pick<View, 'name' | 'aplQuery'>): Catalogue {
  const view = (asked: string): string | undefined => (asked === name ? aplQuery : catalogue.view?.(asked));
  const { inViews } = catalogue;
  if (inViews === undefined) return { ...catalogue, view };
  return {
    ...catalogue,
    view,
    inViews: { ...inViews, view: (asked) => (asked === name ? aplQuery : inViews.view?.(asked)) },
  };
}

/**
 * Shows the dataset without fields to those who may not query it, so that errors in their
 * expression reveal nothing about its fields.
 */
const withDataset = (catalogue: Catalogue, name: string): Catalogue => ({
  ...catalogue,
  dataset: (asked) =>
    asked === name && !catalogue.names.includes(name)
      ? { name, database: '', table: '', fields: new Map(), virtualFields: new Map() }
      : catalogue.dataset(asked),
});
