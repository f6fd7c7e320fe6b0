import { QueryContext } from './bind/context.js';
import { bindProgram } from './bind/program.js';
import type { Compiled, CompileOptions, Failed } from './compiled.js';
import { answerOf } from './lower/answer.js';
import { planAnswer } from './passes/index.js';
import { Report } from './report.js';
import type { Program } from './syntax/ast.js';
import { parse } from './syntax/parse.js';

/**
 * Compiles a query: parse, bind, passes, lower. Pure: the same text and options give the same SQL. Never throws on what a
 * person wrote; what is wrong comes back as diagnostics.
 */
export function compile(text: string, options: CompileOptions): Compiled | Failed {
  const report = new Report();
  const { program, diagnostics } = parse(text);
  for (const diagnostic of diagnostics) report.add(diagnostic);
  return report.failed ? { kind: 'failed', diagnostics: report.all } : compileTree(program, options, report);
}

/**
 * Compiles a syntax tree that was not written as text: requests of another form are translated into one. The places in its
 * diagnostics are the spans of the tree, whatever these mean to its maker.
 */
export const compileProgram = (program: Program, options: CompileOptions): Compiled | Failed =>
  compileTree(program, options, new Report());

function compileTree(program: Program, options: CompileOptions, report: Report): Compiled | Failed {
  const query = new QueryContext(options.catalogue, report, options.now, options.externalHosts);
  query.mentions.add(program);
  const bound = bindProgram(program, query, options.variables ?? {});
  if (bound === undefined || report.failed) return { kind: 'failed', diagnostics: report.all };
  const planned = planAnswer(bound.plan, query, options);
  return {
    kind: 'compiled',
    ...answerOf(planned, options),
    datasets: [...query.datasets],
    diagnostics: report.all,
    ...(bound.chart === undefined ? {} : { chart: bound.chart }),
  };
}
