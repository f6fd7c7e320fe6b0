import { bindCall } from '../bind/calls/calls.js';
import { fit, single } from '../bind/values/coerce.js';
import type { Scope } from '../bind/context.js';
import { bindScalar } from '../bind/context.js';
import { bindLiteral } from '../bind/values/literal.js';
import { bindConstantText } from '../bind/names/names.js';
import { literalAnywhere } from '../bind/conditions/search-literal.js';
import { testFor } from '../bind/conditions/search-terms.js';
import { testAnyField } from '../bind/conditions/text-test.js';
import { typeNameOf } from '../model/result-types.js';
import { scalarOperator } from '../functions/operators/index.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Plan } from '../plan/nodes.js';
import type { Expr, NamePattern } from '../syntax/ast.js';
import type { BindOperator, OperatorContext } from './define.js';
import { tablesNamed } from './sources/named-table.js';
import { unionOf } from './tables/union-of.js';
import { isDynamic } from '../model/types.js';
import { isEmptyPlan } from '../plan/empty-plan.js';

/**
 * `search "term" and field:"x" …`: a bare text is searched for as a term in every field; `in (…)`
 * names the datasets.
 */
export const bindSearch: BindOperator<'search'> = ({ caseSensitive, within, predicate, span }, input, context) => {
  const { report } = context.query;
  const everywhere = within === undefined && isEmptyPlan(input) && !report.failed;
  if (everywhere && context.query.catalog.names.length === 0)
    report.error('syntax', span, "search needs a dataset: ['logs'] | search … or search in (logs*) …");
  if (within !== undefined && !isEmptyPlan(input)) {
    const message =
      'search in (…) stands at the beginning; after another operator or a dataset, search looks through the rows that come from there';
    report.error('syntax', within.span, message, { title: 'Leave out in (…)', replacement: '' });
  }
  const all = [{ text: '*', wildcard: true, span }];
  const datasets = within?.datasets ?? (everywhere ? all : undefined);
  const source = datasets === undefined ? input : searchedTables(datasets, context);
  const scope = context.scalarScope(source.schema);
  return {
    kind: 'filter',
    schema: source.schema,
    input: source,
    predicate: bindSearched(predicate, caseSensitive, scope),
  };
};

/** The searched tables. Rows contain their table's name if the query reads it. */
const searchedTables = (datasets: readonly NamePattern[], context: OperatorContext): Plan =>
  unionOf(
    datasets.every(({ text }) => text === '*') && context.query.catalog.names.length === 0
      ? []
      : tablesNamed(datasets, context),
    context,
    context.query.mentions.has(TABLE) ? TABLE : undefined,
  );

/** Kusto's name of the column with the tables' names. */
const TABLE = '$table';

/** Binds the search expression as a condition. */
export function bindSearched(expr: Expr, caseSensitive: boolean, scope: Scope): Scalar {
  const { query } = scope;
  const join = (name: 'and' | 'or' | 'not', operands: readonly Expr[]): Scalar => {
    const args = operands.map((operand) => ({
      value: [bindSearched(operand, caseSensitive, scope)] as const,
      span: operand.span,
    }));
    return bindCall({ ...scalarOperator(name), args, span: expr.span }, query);
  };
  switch (expr.kind) {
    case 'star':
      return constant('bool', true);
    case 'literal':
      if (expr.type === 'bool') return constant('bool', expr.value);
      if (expr.value === null) return constant('bool', false);
      return typeof expr.value === 'string'
        ? anyTerm(expr.value, expr, caseSensitive, scope)
        : literalAnywhere(bindLiteral(expr, query), caseSensitive, expr.span, scope);
    case 'binary':
      if (expr.op === 'and' || expr.op === 'or') return join(expr.op, [expr.left, expr.right]);
      break;
    case 'unary':
      if (expr.op === 'not') return join('not', [expr.operand]);
      break;
    case 'call':
      if (expr.callee.text === 'not' && expr.args.length === 1 && expr.args[0] !== undefined)
        return join('not', [expr.args[0].value]);
      break;
    case 'stringTest':
      if (caseSensitive && expr.op === 'term') return bindScalar({ ...expr, caseSensitive }, scope)[0];
      break;
    default:
  }
  // In `search error`, the term has no quotes.
  const value = bindConstantText(expr, scope);
  const only = single(value);
  // Without this, a dynamic constant, even a text or a number, would be taken for a condition that
  // is never true.
  const isContent = only.kind === 'constant' && only.value !== null && isDynamic(only.type);
  const found = isContent ? undefined : fit(value, 'bool');
  if (found !== undefined) return found.scalar;
  query.report.error(
    'type_mismatch',
    expr.span,
    `search needs a term or a condition, but this is ${only.type === 'dynamic' ? only.type : typeNameOf([only.type])}`,
  );
  return nullScalar;
}

/** A term in any field. */
const anyTerm = (term: string, { span }: Expr, caseSensitive: boolean, scope: Scope): Scalar =>
  /^\**$/.test(term) ? constant('bool', true) : testAnyField(testFor(term, caseSensitive), span, scope);
