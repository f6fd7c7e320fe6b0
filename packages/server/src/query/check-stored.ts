import { type Ast, type Catalogue, compile, type CompileOptions, compileProgram, parseExpression } from '@millrace/apl';
import { allowed, type Principal } from '../access/allowed.js';
import type { StoredChecks } from '../routes/deps.js';
import { catalogueFor } from './catalogue.js';
import { queryError } from './query-error.js';
import type { QueryService } from './service.js';

/** Compiles what is going to be stored, with the rights of who stores it: mistakes are told then, not when it is used. */
export function storedChecks(service: QueryService): StoredChecks {
  const catalogueOf = (principal: Principal): Promise<Catalogue> =>
    catalogueFor({ may: (need) => allowed(principal, need) }, service);
  return {
    query: async (apl, principal) => {
      const compiled = compile(apl, optionsOf(await catalogueOf(principal), service));
      if (compiled.kind === 'failed') throw queryError(apl, compiled.diagnostics);
    },
    expression: async ({ expression, dataset }, principal) => {
      const { expr, diagnostics } = parseExpression(expression);
      if (diagnostics.some(({ severity }) => severity === 'error')) throw queryError(expression, diagnostics);
      const catalogue = await catalogueOf(principal);
      const compiled = compileProgram(computing(expr, dataset), optionsOf(withDataset(catalogue, dataset), service));
      if (compiled.kind === 'failed') throw queryError(expression, compiled.diagnostics);
    },
  };
}

const optionsOf = (catalogue: Catalogue, { settings, clock }: QueryService): CompileOptions => {
  const now = clock();
  return {
    catalogue,
    now,
    range: { start: 0n, end: now, given: { start: false, end: false } },
    defaultLimit: settings.defaultQueryLimit,
    maxLimit: settings.maxQueryLimit,
    maxBinAutoGroups: 300,
    maxDataColumns: settings.maxDataColumns,
    externalHosts: settings.externalDataHosts,
  };
};

/** The dataset as one without fields for who may not query it: what is wrong with their expression tells nothing about them. */
const withDataset = (catalogue: Catalogue, name: string): Catalogue => ({
  ...catalogue,
  dataset: (asked) =>
    catalogue.dataset(asked) ??
    (asked === name ? { name, database: '', table: '', fields: new Map(), virtualFields: new Map() } : undefined),
});

/** A query that computes an expression for every event of a dataset; places are those of the expression. */
function computing(value: Ast.Expr, dataset: string): Ast.Program {
  const { span } = value;
  const source = { kind: 'table', pattern: { text: dataset, wildcard: false, span }, quoted: true, span } as const;
  const extend = {
    kind: 'extend',
    valid: false,
    columns: [{ name: { text: '@', quoted: true, span }, value, span }],
    span,
  } as const;
  return { statements: [], query: { kind: 'pipeline', source, operators: [extend], span }, span };
}
