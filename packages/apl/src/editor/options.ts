import type { Catalogue } from '../catalogue.js';
import type { CompileOptions } from '../compiled.js';

/**
 * What an editor compiles with. Nothing is run, so times and limits matter only to the findings
 * about them.
 */
export const editorOptions = (catalogue: Catalogue, more: Partial<CompileOptions> = {}): CompileOptions => ({
  catalogue,
  now: 0n,
  range: { start: -DAY, end: 0n, given: { start: true, end: true } },
  // Nothing looks at the results that these limits would cut.
  defaultLimit: 1000,
  maxLimit: 50_000,
  maxBinAutoGroups: 300,
  ...more,
});

const DAY = 86_400_000_000_000n;
