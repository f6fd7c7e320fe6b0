import { QueryContext } from './bind/context.js';
import { bindProgram } from './bind/program.js';
import type { CompiledQuery, CompileOptions, CompileFailure, CompileRequest } from './compiled-query.js';
import { inDefaultOrder } from './default-order.js';
import { answerOf } from './lower/answer.js';
import { isTooLarge } from './lower/statement-size.js';
import { planAnswer } from './passes/index.js';
import { addNeedsOf } from './plan/needs.js';
import type { Plan } from './plan/nodes.js';
import { Report } from './report.js';
import type { Program } from './syntax/ast.js';
import { queryBounds } from './model/query-limits.js';
import { parse } from './syntax/parse.js';
import { isTooHigh } from './syntax/tree-height.js';

/**
 * Compiles a query: parse, bind, passes, lower. Pure: the same text and options give the same SQL.
 * Never throws because of the text; mistakes are returned as diagnostics. If a lookup is needed
 * first, returns a question: the caller looks it up and compiles again.
 */
export function compile(text: string, options: CompileOptions): CompiledQuery | CompileRequest | CompileFailure {
  const report = new Report();
  const { program, diagnostics } = parse(text);
  for (const diagnostic of diagnostics) report.add(diagnostic);
  if (report.failed) return { kind: 'failed', diagnostics: report.all };
  return compileTree(inDefaultOrder(program, options.defaultOrder), options, report);
}

/**
 * Compiles a syntax tree that was not parsed from text, such as that from a structured request.
 * Diagnostics carry the spans of the tree, which only the caller interprets.
 */
export function compileProgram(
  program: Program,
  options: CompileOptions,
): CompiledQuery | CompileRequest | CompileFailure {
  const report = new Report();
  if (!isTooHigh(program, queryBounds.treeHeight.max)) return compileTree(program, options, report);
  const message = `an expression has more than ${queryBounds.treeHeight.max} steps in a row; split it`;
  report.error('limit', program.query?.span ?? program.span, message);
  return { kind: 'failed', diagnostics: report.all };
}

function compileTree(
  program: Program,
  options: CompileOptions,
  report: Report,
): CompiledQuery | CompileRequest | CompileFailure {
  const query = new QueryContext(options, report);
  query.mentions.add(program);
  // The name of a field may be a variable, as in column_ifexists(name, "").
  for (const value of Object.values(options.variables ?? {})) if (typeof value === 'string') query.mentions.add(value);
  const bound = bindProgram(program, query, options.variables ?? {});
  // Files before lookups, because a lookup may read their contents; but no file is read for a query
  // that has errors.
  if (query.unread.size > 0 && !(report.failed && query.lookupPlan === undefined))
    return { kind: 'reads', addresses: [...query.unread], diagnostics: report.all };
  if (query.lookupPlan !== undefined) return { kind: 'asks', question: questionOf(query.lookupPlan, query, options) };
  if (bound === undefined || report.failed) return { kind: 'failed', diagnostics: report.all };
  if (asksTimes(query, options))
    return { kind: 'times', datasets: [...query.datasets], needs: new Set(query.needs), diagnostics: report.all };
  const compiled = compiledPlan(bound.plan, query, options);
  if (isTooLarge(compiled.query)) {
    const message = 'the query is more than the engine can plan in time; use fewer operators, functions or columns';
    report.error('limit', program.query?.span ?? program.span, message);
  }
  // Errors that depend on the time range are found only here.
  if (report.failed) return { kind: 'failed', diagnostics: report.all };
  return {
    ...compiled,
    ...(bound.chart === undefined ? {} : { chart: bound.chart }),
  };
}

/**
 * Whether the times of events have to be known first. Where both ends of the range are given, they
 * change nothing.
 */
const asksTimes = ({ needs, datasets }: QueryContext, { eventTimes, range: { given } }: CompileOptions): boolean =>
  eventTimes === 'ask' && datasets.size > 0 && needs.has('event-times') && !(given.start && given.end);

/** Compiles a lookup as a separate query. Its rows are not events, so it takes no cursor. */
function questionOf(plan: Plan, query: QueryContext, options: CompileOptions): CompiledQuery {
  const maxLimit = query.maxDataColumns + 1;
  return compiledPlan(plan, query, { ...options, defaultLimit: maxLimit, maxLimit, rowIds: false, output: 'json' });
}

function compiledPlan(plan: Plan, query: QueryContext, options: CompileOptions): CompiledQuery {
  const planned = planAnswer(plan, query, options);
  const answer = answerOf(planned, query, options);
  const needs = new Set(query.needs);
  addNeedsOf(planned.plan, needs);
  return {
    kind: 'compiled',
    ...answer,
    datasets: [...query.datasets],
    needs,
    diagnostics: query.report.all,
  };
}
