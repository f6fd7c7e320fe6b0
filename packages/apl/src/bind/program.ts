import type { ChartHint } from '../operators/define.js';
import type { Plan } from '../plan/nodes.js';
import type { Program } from '../syntax/ast.js';
import type { QueryContext } from './context.js';
import { bindPipeline, rules } from './pipeline.js';
import { bindStatements } from './statements.js';
import type { JsonValue } from './statements.js';

interface BoundProgram {
  readonly plan: Plan;
  readonly chart?: ChartHint;
}

/** Binds a whole text. Undefined without a query. */
export function bindProgram(
  program: Program,
  query: QueryContext,
  variables: Readonly<Record<string, JsonValue>>,
): BoundProgram | undefined {
  const lets = bindStatements(program.statements, { query, variables, rules });
  if (program.query === undefined) {
    query.report.error(
      'syntax',
      program.span,
      "there is nothing to answer: a query begins with a dataset, as in ['logs'] | take 10",
    );
    return undefined;
  }
  let chart: ChartHint | undefined;
  const plan = bindPipeline(program.query, { query, lets }, (hint) => {
    chart = hint;
  });
  return chart === undefined ? { plan } : { plan, chart };
}
