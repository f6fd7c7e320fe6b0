import {
  type Ast,
  type Catalogue,
  type Compiled,
  type CompileOptions,
  type Diagnostic,
  type Failed,
} from '@millrace/apl';
import { type HttpError, httpError } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Compilation, Source } from './compiler-messages.js';
import { type Answers, settled } from './settle.js';
import type { PlanCache } from './plan-cache.js';
import { queryError, structureError } from './query-error.js';
import type { AplRequest, Asked } from './request.js';
import type { StructuredBody } from '../structured/body.js';
import { structuredTree, type StructuredTree } from '../structured/tree.js';

/** From requests to compiled queries, and from what is wrong with a query to the error that the client gets. */

export interface CompileContext {
  readonly catalogue: Catalogue;
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
  /** For a request that is held, the time of the attempt, so that it sees what has arrived meanwhile; otherwise `now`. */
  readonly impliedEnd?: bigint;
  readonly settings: Settings;
  readonly plans: PlanCache;
  /** Compiles in this thread or another. */
  readonly compile: (source: Source, options: CompileOptions) => Promise<Compilation>;
  /** Answers what has to be known before a query can be compiled. */
  readonly answers: Answers;
}

/** The most bins that `bin_auto` makes, unless the request says how many. */
const defaultBinAutoGroups = 300;

/** What any query may do, unless its request says otherwise. */
export const optionsOfSettings = (settings: Settings) => ({
  defaultLimit: settings.defaultQueryLimit,
  maxLimit: settings.maxQueryLimit,
  maxBinAutoGroups: defaultBinAutoGroups,
  maxDataColumns: settings.maxDataColumns,
  externalHosts: settings.externalDataHosts,
});

function optionsOf({ range, cursor }: Asked, { catalogue, now, impliedEnd, settings }: CompileContext): CompileOptions {
  return {
    catalogue,
    now,
    range,
    ...(impliedEnd !== undefined && { impliedEnd }),
    ...optionsOfSettings(settings),
    rowIds: true,
    output: 'page',
    ...(cursor !== undefined && { paging: { after: cursor.place, inclusive: cursor.inclusive } }),
  };
}

/**
 * Compiles a request in APL.
 * @param more options that override those of the request
 * @throws HttpError `invalid-query`, with line and column
 * @throws EngineError from questions that had to be asked first
 */
export async function compileApl(
  request: AplRequest,
  context: CompileContext,
  more: Partial<CompileOptions> = {},
): Promise<Compiled> {
  const { settings } = context;
  const options: CompileOptions = {
    ...optionsOf(request, context),
    variables: request.variables,
    defaultOrder: request.defaultOrder,
    defaultLimit: Math.min(request.defaultLimit ?? settings.defaultQueryLimit, settings.maxQueryLimit),
    ...(request.maxBinAutoGroups !== undefined && { maxBinAutoGroups: request.maxBinAutoGroups }),
    ...more,
  };
  const compiled = await settled(
    (known) =>
      context.plans.compile(request.apl, { ...options, ...known }, (text, all) =>
        context.compile({ kind: 'text', text }, all),
      ),
    context.answers,
  );
  return checked(compiled, request, (diagnostics) => queryError(request.apl, diagnostics));
}

interface StructuredRequest {
  /** Name of the dataset or view. */
  readonly dataset: string;
  readonly body: StructuredBody;
  /** What the body asks for besides the query itself. */
  readonly asked: Asked;
}

/** A structured request, compiled. */
export type CompiledStructure =
  | { readonly kind: 'events'; readonly compiled: Compiled }
  | {
      readonly kind: 'aggregation';
      readonly tree: Extract<StructuredTree, { kind: 'aggregation' }>;
      readonly totals: Compiled;
      readonly series: Compiled;
    };

/**
 * @throws HttpError `invalid-query`, `invalid-request`, naming the member
 * @throws EngineError from questions that had to be asked first
 */
export async function compileStructure(
  { dataset, body, asked }: StructuredRequest,
  context: CompileContext,
  more: Partial<CompileOptions> = {},
): Promise<CompiledStructure> {
  const { given } = asked.range;
  const options = { ...optionsOf(asked, context), arrivals: true, ...more };
  const tree = structuredTree(body, {
    dataset,
    defaultLimit: options.defaultLimit,
    ...(given.start && given.end && { range: asked.range }),
  });
  const make = async (program: Ast.Program, own: Partial<CompileOptions> = {}): Promise<Compiled> =>
    checked(
      await settled(
        (known) => context.compile({ kind: 'tree', tree: program }, { ...options, ...own, ...known }),
        context.answers,
      ),
      asked,
      (diagnostics) => structureError(tree.places, diagnostics),
    );
  if (tree.kind === 'events') return { kind: 'events', compiled: await make(tree.program) };
  // The totals are asked for by a query of their own, which has its own counts and limits.
  const { totals: _, ...series } = await make(tree.series);
  // Unlike the rows of an aggregation in APL, groups have the default limit.
  const own = tree.isLimited ? {} : { maxLimit: options.defaultLimit };
  return { kind: 'aggregation', tree, totals: await make(tree.totals, own), series };
}

/** @throws HttpError when the query failed, or cannot be continued from a cursor */
function checked(
  compiled: Compiled | Failed,
  { cursor }: Asked,
  error: (diagnostics: readonly Diagnostic[]) => HttpError,
): Compiled {
  if (compiled.kind === 'failed') throw error(compiled.diagnostics);
  if (cursor === undefined) return compiled;
  const events = compiled.presentation.kind === 'events' && compiled.rowId !== undefined;
  if (events && compiled.continuation !== undefined) return compiled;
  const field = compiled.presentation.order[0]?.field ?? 'something else';
  const by = field === '_time' ? 'a _time that the query made' : field;
  const what = events ? `a result sorted by ${by}` : 'a result that is no events';
  throw httpError('invalid-query', {
    problem: `a cursor continues events in the order of _time, not ${what}; leave out the cursor, or sort by _time`,
  });
}
