import { bindOperator } from '../operators/index.js';
import { consume } from '../model/compile-budget.js';
import type { ChartHint, OperatorContext } from '../operators/define.js';
import type { Plan } from '../plan/nodes.js';
import { emptyPlan } from '../plan/empty-plan.js';
import type { Schema } from '../plan/schema.js';
import type { Span, Tabular } from '../syntax/ast.js';
import type { BindRules, Lets, LetValue, PipelineScope, QueryContext, Scope } from './context.js';
import { bindExpression } from './scalar.js';
import { bindSource } from './sources.js';
import { bindStatements } from './statements.js';

/** Binds a pipeline: its source, then its operators in order. */
export function bindPipeline(
  pipeline: Tabular,
  scope: PipelineScope,
  chart: (hint: ChartHint) => void = () => {},
): Plan {
  const lets = new Map<string, LetValue>(scope.lets);
  const names = new Map<Plan, string>();
  const context: OperatorContext = {
    query: scope.query,
    lets,
    scalarScope: (schema) => scalarScope(schema, scope.query, lets),
    constantScope: scalarScope({ fields: [] }, scope.query, lets),
    bindPipeline: (inner, known = lets) => bindPipeline(inner, { query: scope.query, lets: known }),
    bindStatements: (statements) => bindStatements(statements, { query: scope.query, variables: {}, rules }),
    define: (name, plan) => {
      names.set(plan, name);
      lets.set(name, { kind: 'table', bind: (span) => scope.query.copyOf(plan, span) });
    },
    nameOf: (plan) => names.get(plan),
    chart,
  };
  const checkRows = (plan: Plan, span: Span, otherwise: Plan): Plan =>
    scope.query.holds(plan, span) ? plan : otherwise;
  return pipeline.operators.reduce(
    (input, operator) => {
      if (!scope.query.step(operator.span)) return input;
      consume(input.schema.fields.length / 50);
      return checkRows(bindOperator(operator, input, context), operator.span, input);
    },
    checkRows(bindSource(pipeline.source, context), pipeline.source.span, emptyPlan),
  );
}

export const rules: BindRules = {
  expression: bindExpression,
  pipeline: (pipeline, scope) => bindPipeline(pipeline, scope),
};

/** A scope for expressions over a table. */
const scalarScope = (schema: Schema, query: QueryContext, lets: Lets): Scope => ({ query, schema, lets, rules });
