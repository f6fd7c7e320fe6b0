import { compile } from '../compile.js';
import type { CompiledQuery, CompileOptions, LookupResult, CompileFailure } from '../compiled-query.js';
import { testOptions } from './compile-text.js';
import type { TestEngine } from './engine.js';

/** Only for tests: compiles a query, with lookups in the engine. */
export function compileWithLookups(
  engine: TestEngine,
  text: string,
  options: Partial<CompileOptions>,
): CompiledQuery | CompileFailure {
  const facts: LookupResult[] = [];
  for (;;) {
    const result = compile(text, { ...testOptions, ...options, facts });
    if (result.kind === 'reads' || result.kind === 'times') throw new Error(`${text}: needs files or times`);
    if (result.kind !== 'asks') return result;
    facts.push(engine.rows(result.question.query).map((row) => row.map(String)));
  }
}
