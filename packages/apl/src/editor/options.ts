import type { Catalog } from '../model/catalog.js';
import type { CompileOptions } from '../compiled-query.js';

/**
 * Compile options of an editor. No query runs, so times and limits matter only to findings about
 * them.
 */
export const editorOptions = (catalog: Catalog, more: Partial<CompileOptions> = {}): CompileOptions => ({
  catalog,
  now: 0n,
  range: { start: -DAY, end: 0n, given: { start: true, end: true } },
  // Limits on results, which are not computed.
  defaultLimit: 1000,
  maxLimit: 50_000,
  maxBinAutoGroups: 300,
  ...more,
});

const DAY = 86_400_000_000_000n;
