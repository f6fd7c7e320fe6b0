import { compile } from '../compile.js';
import type { CompiledQuery, CompileOptions, CompileFailure } from '../compiled-query.js';
import type { Catalog } from '../model/catalog.js';
import { parseDatetime } from '../syntax/lexing/datetime.js';
import { sampleReference } from './reference-data.js';

/** Only for tests: the time at which their queries run. */
export const testNow = parseDatetime('2024-06-15T12:00:00Z')!;

export const noDatasets: Catalog = { names: [], dataset: () => undefined, reference: sampleReference };

/**
 * Options of tests; the range is the hour before `testNow`, as a default that the caller did not
 * give.
 */
export const testOptions: CompileOptions = {
  catalog: noDatasets,
  now: testNow,
  range: { start: testNow - 3_600_000_000_000n, end: testNow, given: { start: false, end: false } },
  defaultLimit: 1000,
  maxLimit: 50_000,
  maxBinAutoGroups: 300,
  maxDataColumns: 100,
};

/** Compiles a query that needs no facts about the data. */
export function compileText(text: string, options: Partial<CompileOptions> = {}): CompiledQuery | CompileFailure {
  const result = compile(text, { ...testOptions, ...options });
  if (result.kind !== 'compiled' && result.kind !== 'failed')
    throw new Error(`${text}: needs facts of the data or files`);
  return result;
}

/** Compiles a query that must compile; otherwise throws its diagnostics. */
export function compileOrThrow(text: string, options: Partial<CompileOptions> = {}): CompiledQuery {
  const result = compileText(text, options);
  if (result.kind === 'failed')
    throw new Error(`${text}: ${result.diagnostics.map((d) => `${d.code}: ${d.message}`).join('; ')}`);
  return result;
}
