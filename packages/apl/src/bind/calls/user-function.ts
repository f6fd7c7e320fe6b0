import type { Plan } from '../../plan/nodes.js';
import { innerPlansOf, inputsOf, scalarsOf } from '../../plan/rewrite.js';
import { columnsIn, nullScalar, partsOf } from '../../plan/scalar.js';
import type { Bound, ColumnId, Scalar } from '../../plan/scalar.js';
import type { CallExpr, Expr, Tabular } from '../../syntax/ast.js';
import { asTable } from '../as-table.js';
import { convertTo, fit, single } from '../values/coerce.js';
import type { LetValue, Lets, Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { firstCell } from '../first-cell.js';
import { placedArguments } from './placed-arguments.js';
import { bindStatements } from '../statements.js';

/** A call of `let f = (x: long) { … }`: the body, with the parameters bound to the arguments. */
export function callUserFunction(own: Extract<LetValue, { kind: 'function' }>, expr: CallExpr, scope: Scope): Bound {
  const { text: name } = expr.callee;
  const lets = bindParameters(own, expr, scope);
  if (lets === undefined) return [nullScalar];
  const body = scope.query.withinDepth(`function ${name}`, expr.span, (): Bound =>
    isPipeline(own.body)
      ? [firstCell(own.body, { ...scope, lets })]
      : bindScalar(own.body, { ...scope, lets, schema: { fields: [] } }),
  );
  const given = [...lets].flatMap(([key, value]) =>
    value.kind === 'scalar' && own.lets.get(key) !== value ? value.value : [],
  );
  const outer = columnsIn(given);
  if (body?.some((scalar) => readsWithin(scalar, outer)) !== true) return body ?? [nullScalar];
  const message = `${name} reads a table with what it is given, which differs from row to row here; join the tables, or give it constants`;
  scope.query.report.error('unsupported', expr.span, message);
  return [nullScalar];
}

/** Whether a pipeline inside an expression reads columns of the rows around it. */
function readsWithin(scalar: Scalar, outer: ReadonlySet<ColumnId>): boolean {
  const reads = (plan: Plan): boolean =>
    [...columnsIn(scalarsOf(plan))].some((id) => outer.has(id)) ||
    [...inputsOf(plan), ...innerPlansOf(plan)].some(reads);
  const isInner = scalar.kind === 'inPlan' || scalar.kind === 'scalarPlan';
  return (isInner && reads(scalar.plan)) || partsOf(scalar).some((part) => readsWithin(part, outer));
}

const isPipeline = (body: Expr | Tabular): body is Tabular => body.kind === 'pipeline';

/**
 * The names visible in a function's body: names at its definition, its parameters, and its own
 * definitions. Undefined after an error.
 */
export function bindParameters(
  own: Extract<LetValue, { kind: 'function' }>,
  expr: Pick<CallExpr, 'callee' | 'args' | 'span'>,
  scope: Scope,
): Lets | undefined {
  const { text: name } = expr.callee;
  const lets = new Map(own.lets);
  const names = own.params.map((param) => param.name.text);
  const given = placedArguments(name, expr.args, names, scope.query.report);
  if (given === undefined) return undefined;
  if (expr.args.length > own.params.length) {
    const several = own.params.length === 1 ? 'one argument' : `${own.params.length} arguments`;
    scope.query.report.error('argument_count', expr.span, `${name} takes ${several}, not ${expr.args.length}`);
    return undefined;
  }
  for (const [i, param] of own.params.entries()) {
    const arg = given[i] ?? param.default;
    if (arg === undefined) {
      scope.query.report.error('argument_count', expr.span, `${name} needs its argument ${param.name.text}`);
      return undefined;
    }
    if (param.tabular === true) {
      const table = tabularArgument(arg, scope.lets);
      if (table === undefined) {
        scope.query.report.error('argument_type', arg.span, `${param.name.text} of ${name} must be a table`);
        return undefined;
      }
      lets.set(param.name.text, { kind: 'table', bind: () => scope.rules.pipeline(table, scope) });
      continue;
    }
    const value = bindScalar(arg, arg === given[i] ? scope : { ...scope, lets: own.lets, schema: { fields: [] } });
    const typed = param.type === undefined ? { scalar: single(value) } : fit(value, param.type);
    if (typed === undefined) {
      scope.query.report.error('argument_type', arg.span, `${param.name.text} of ${name} must be ${param.type}`);
      return undefined;
    }
    lets.set(param.name.text, {
      kind: 'scalar',
      value: [param.type === undefined ? typed.scalar : convertTo(typed.scalar, param.type)],
    });
  }
  if (own.statements.length === 0) return lets;
  const { query, rules } = scope;
  return query.withinDepth(`function ${name}`, expr.span, () =>
    bindStatements(own.statements, { query, rules, variables: {} }, lets),
  );
}

/**
 * A table as an argument: a pipeline in parentheses, a call of a function that gives one, or a bare
 * name.
 */
function tabularArgument(arg: Expr, lets: Lets): Tabular | undefined {
  if (arg.kind === 'call') return asTable(arg, lets, () => false);
  if (arg.kind === 'tabular') return arg.query;
  if (arg.kind !== 'name') return undefined;
  const { name, span } = arg;
  const pattern = { text: name.text, wildcard: false, span };
  return { kind: 'pipeline', source: { kind: 'table', pattern, quoted: name.quoted, span }, operators: [], span };
}
