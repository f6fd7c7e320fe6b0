import type { Ast, CompiledQuery, CompileOptions, Diagnostic, LookupResult } from '@millrace/apl';
import type { HttpError } from '@millrace/api/errors';
import { catalogFor } from './compile/catalog.js';
import type { Compilation } from './compile/compiler-messages.js';
import { requireContinuable } from './compile/continuable.js';
import { filesOf } from './compile/external-files.js';
import { aplOptionsOf, optionsOf } from './compile/options.js';
import { queryError, structureError } from './compile/query-error.js';
import type { AplRequest, RequestedBounds } from './compile/request.js';
import { type LookupResults, resolveLookups } from './compile/resolve-lookups.js';
import { timesOfEvents } from './compile/event-times.js';
import type { QueryRunContext } from './context.js';
import { addHistory } from './history-view.js';
import { runPlan } from './run-plan.js';
import { textAt, valuesOf } from './run/columns.js';
import type { EngineTable } from './run/outcome.js';
import type { StructuredBody } from './structured/body.js';
import { structuredTree, type StructuredTree } from './structured/tree.js';

/**
 * The first step of a query: from its request and the caller's catalog to a plan without pending
 * lookups.
 */

/**
 * Prepares a query in APL.
 * @param more options that override those of the request
 * @throws HttpError `invalid-query`, with line and column
 * @throws EngineError from lookups
 */
export async function prepare(
  request: AplRequest,
  context: QueryRunContext,
  more: Partial<CompileOptions> = {},
): Promise<CompiledQuery> {
  const { plans, compilers } = context.service;
  const options = { ...aplOptionsOf(request, await momentOf(context)), ...more };
  return plan(
    (known) =>
      plans.compile(request.apl, { ...options, ...known }, (text, all) =>
        compilers.compile({ kind: 'text', text }, all, context.execution),
      ),
    { bounds: request, context, error: (diagnostics) => queryError(request.apl, diagnostics) },
  );
}

/**
 * Findings about a query in APL, with fixes where the compiler knows one. Empty if it depends on a
 * lookup.
 */
export async function findingsOf(request: AplRequest, context: QueryRunContext): Promise<readonly Diagnostic[]> {
  const options = aplOptionsOf(request, await momentOf(context));
  const source = { kind: 'text', text: request.apl } as const;
  const compiled = await context.service.compilers.compile(source, options, context.execution);
  return compiled.kind === 'asks' ? [] : compiled.diagnostics;
}

interface StructuredRequest {
  /** Name of the dataset or view. */
  readonly dataset: string;
  readonly body: StructuredBody;
  /** What the body requests in addition to the query. */
  readonly bounds: RequestedBounds;
}

/** A structured request, prepared. */
export type StructuredPlans =
  | { readonly kind: 'events'; readonly plan: CompiledQuery }
  | {
      readonly kind: 'aggregation';
      readonly tree: Extract<StructuredTree, { kind: 'aggregation' }>;
      readonly totals: CompiledQuery;
      readonly series: CompiledQuery;
    };

/**
 * Prepares a structured query.
 * @throws HttpError `invalid-query`, `invalid-request`, naming the property
 * @throws EngineError from lookups
 */
export async function prepareStructure(
  { dataset, body, bounds }: StructuredRequest,
  context: QueryRunContext,
): Promise<StructuredPlans> {
  const { given } = bounds.range;
  const options = { ...optionsOf(bounds, await momentOf(context)), arrivals: true };
  const tree = structuredTree(body, {
    dataset,
    defaultLimit: options.defaultLimit,
    ...(given.start && given.end && { range: bounds.range }),
  });
  const make = (program: Ast.Program, own: Partial<CompileOptions> = {}): Promise<CompiledQuery> =>
    plan(
      (known) =>
        context.service.compilers.compile(
          { kind: 'tree', tree: program },
          { ...options, ...own, ...known },
          context.execution,
        ),
      { bounds, context, error: (diagnostics) => structureError(tree.origins, diagnostics) },
    );
  if (tree.kind === 'events') return { kind: 'events', plan: await make(tree.program) };
  // The totals have a separate query, which has its own counts and limits.
  const { totals: _, ...series } = await make(tree.series);
  // Unlike the rows of an aggregation in APL, groups have the default limit.
  const own = tree.isLimited ? {} : { maxLimit: options.defaultLimit };
  return { kind: 'aggregation', tree, totals: await make(tree.totals, own), series };
}

/**
 * Prepares a syntax tree that another language was translated to.
 * @param more options that override those of the request
 * @throws HttpError of `error`; EngineError from lookups
 */
export async function prepareProgram(
  program: Ast.Program,
  bounds: RequestedBounds,
  context: QueryRunContext,
  more: Partial<CompileOptions>,
  error: (problem: string) => HttpError,
): Promise<CompiledQuery> {
  const options = { ...optionsOf(bounds, await momentOf(context)), ...more };
  return plan(
    (known) =>
      context.service.compilers.compile({ kind: 'tree', tree: program }, { ...options, ...known }, context.execution),
    { bounds, context, error: (diagnostics) => error(problemsIn(diagnostics)) },
  );
}

const problemsIn = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
    .join('; ');

const momentOf = async ({ call, service, now, impliedEnd }: QueryRunContext) => ({
  catalog: addHistory(await catalogFor(call, service), call.principal, service.history),
  settings: service.settings,
  now,
  ...(impliedEnd !== undefined && { impliedEnd }),
});

interface About {
  readonly bounds: RequestedBounds;
  readonly context: QueryRunContext;
  /** The error of an invalid query, for its author. */
  readonly error: (diagnostics: readonly Diagnostic[]) => HttpError;
}

/** Compiles until no lookup is pending. */
async function plan(
  compile: (known: Partial<CompileOptions>) => Promise<Compilation>,
  { bounds, context, error }: About,
): Promise<CompiledQuery> {
  const compiled = await resolveLookups(compile, answersFor(context));
  if (compiled.kind === 'failed') throw error(compiled.diagnostics);
  requireContinuable(compiled, bounds);
  return compiled;
}

/**
 * Lookups run as part of the query: in its slot, under its limits, over all events acknowledged
 * before.
 */
const answersFor = (context: QueryRunContext): LookupResults => ({
  fact: async (question) => rowsOf((await runPlan(question, context, { count: false })).table),
  files: filesOf(context.execution, context.service.settings),
  times: timesOfEvents(context.service),
});

function rowsOf({ columns, rows }: EngineTable): LookupResult {
  const values = columns.map((column) => valuesOf(column, rows));
  return Array.from({ length: rows }, (_, row) => values.map((column) => JSON.parse(textAt(column, row)) as string));
}
