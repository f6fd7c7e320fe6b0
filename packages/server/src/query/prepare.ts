import type { Ast, Compiled, CompileOptions, Diagnostic, Fact } from '@millrace/apl';
import type { HttpError } from '../errors.js';
import { catalogueFor } from './compile/catalogue.js';
import type { Compilation } from './compile/compiler-messages.js';
import { requireContinuable } from './compile/continuable.js';
import { filesOf } from './compile/external-files.js';
import { aplOptionsOf, optionsOf } from './compile/options.js';
import { queryError, structureError } from './compile/query-error.js';
import type { AplRequest, Asked } from './compile/request.js';
import { type Answers, settled } from './compile/settle.js';
import { timesOfEvents } from './compile/times-of-events.js';
import type { Asking } from './asking.js';
import { withHistory } from './history-view.js';
import { perform } from './perform.js';
import { textAt, valuesOf } from './run/columns.js';
import type { AnswerTable } from './run/execute.js';
import type { StructuredBody } from './structured/body.js';
import { structuredTree, type StructuredTree } from './structured/tree.js';

/**
 * The first step of a query: from its request and what its caller may know about the data to a plan
 * with nothing left to ask.
 */

/**
 * Prepares a query in APL.
 * @param more options that override those of the request
 * @throws HttpError `invalid-query`, with line and column
 * @throws EngineError from questions that had to be asked first
 */
export async function prepare(
  request: AplRequest,
  asking: Asking,
  more: Partial<CompileOptions> = {},
): Promise<Compiled> {
  const { plans, compilers } = asking.service;
  const options = { ...aplOptionsOf(request, await momentOf(asking)), ...more };
  return plan(
    (known) =>
      plans.compile(request.apl, { ...options, ...known }, (text, all) =>
        compilers.compile({ kind: 'text', text }, all, asking.course),
      ),
    { asked: request, asking, error: (diagnostics) => queryError(request.apl, diagnostics) },
  );
}

interface StructuredRequest {
  /** Name of the dataset or view. */
  readonly dataset: string;
  readonly body: StructuredBody;
  /** What the body asks for besides the query itself. */
  readonly asked: Asked;
}

/** A structured request, prepared. */
export type StructuredPlans =
  | { readonly kind: 'events'; readonly plan: Compiled }
  | {
      readonly kind: 'aggregation';
      readonly tree: Extract<StructuredTree, { kind: 'aggregation' }>;
      readonly totals: Compiled;
      readonly series: Compiled;
    };

/**
 * Prepares a structured query.
 * @throws HttpError `invalid-query`, `invalid-request`, naming the member
 * @throws EngineError from questions that had to be asked first
 */
export async function prepareStructure(
  { dataset, body, asked }: StructuredRequest,
  asking: Asking,
): Promise<StructuredPlans> {
  const { given } = asked.range;
  const options = { ...optionsOf(asked, await momentOf(asking)), arrivals: true };
  const tree = structuredTree(body, {
    dataset,
    defaultLimit: options.defaultLimit,
    ...(given.start && given.end && { range: asked.range }),
  });
  const make = (program: Ast.Program, own: Partial<CompileOptions> = {}): Promise<Compiled> =>
    plan(
      (known) =>
        asking.service.compilers.compile(
          { kind: 'tree', tree: program },
          { ...options, ...own, ...known },
          asking.course,
        ),
      { asked, asking, error: (diagnostics) => structureError(tree.origins, diagnostics) },
    );
  if (tree.kind === 'events') return { kind: 'events', plan: await make(tree.program) };
  // The totals are asked for by a query of their own, which has its own counts and limits.
  const { totals: _, ...series } = await make(tree.series);
  // Unlike the rows of an aggregation in APL, groups have the default limit.
  const own = tree.isLimited ? {} : { maxLimit: options.defaultLimit };
  return { kind: 'aggregation', tree, totals: await make(tree.totals, own), series };
}

const momentOf = async ({ call, service, now, impliedEnd }: Asking) => ({
  catalogue: withHistory(await catalogueFor(call, service), call.principal, service.history),
  settings: service.settings,
  now,
  ...(impliedEnd !== undefined && { impliedEnd }),
});

interface About {
  readonly asked: Asked;
  readonly asking: Asking;
  /** What is wrong with the query, for its author. */
  readonly error: (diagnostics: readonly Diagnostic[]) => HttpError;
}

/** Compiles until nothing is left to ask. */
async function plan(
  compile: (known: Partial<CompileOptions>) => Promise<Compilation>,
  { asked, asking, error }: About,
): Promise<Compiled> {
  const compiled = await settled(compile, answersFor(asking));
  if (compiled.kind === 'failed') throw error(compiled.diagnostics);
  requireContinuable(compiled, asked);
  return compiled;
}

/**
 * Questions are answered as part of the query: in its turn, under its limits, over everything
 * acknowledged before.
 */
const answersFor = (asking: Asking): Answers => ({
  fact: async (question) => rowsOf((await perform(question, asking, { count: false })).table),
  files: filesOf(asking.course, asking.service.settings),
  times: timesOfEvents(asking.service),
});

function rowsOf({ columns, rows }: AnswerTable): Fact {
  const values = columns.map((column) => valuesOf(column, rows));
  return Array.from({ length: rows }, (_, row) => values.map((column) => JSON.parse(textAt(column, row)) as string));
}
