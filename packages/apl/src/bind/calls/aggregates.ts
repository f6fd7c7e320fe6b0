import { aggregateNamed, overloadsOf } from '../../aggregates/index.js';
import type { NamedAggregate } from '../../aggregates/index.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { columnOf, constant, nullScalar } from '../../plan/scalar.js';
import { readingsOf } from '../../plan/schema.js';
import type { AggregateInfo, Schema } from '../../plan/schema.js';
import type { CallExpr, Expr } from '../../syntax/ast.js';
import { argumentOf, choose, acceptsCount } from './calls.js';
import { isMissingValue } from '../values/missing-values.js';
import type { BoundArgument } from './calls.js';
import { fit, mergeReadings } from '../values/coerce.js';
import type { AggregateCollector, CollectedAggregate } from './collector.js';
import type { QueryContext, Scope } from '../context.js';
import { withoutNames } from './placed-arguments.js';
import { otherDialectWildcards } from './other-dialect-arguments.js';
import { impliedName } from '../../operators/columns.js';
import { bindScalar } from '../context.js';
import { spelledName } from '../names/spelled-name.js';
import { isOther, ofNumbers, integerOf } from '../values/whole-numbers.js';

/** A collector over rows of the given columns. */
export function aggregateCollector(rows: Schema): AggregateCollector {
  const found: CollectedAggregate[] = [];
  return {
    found,
    rows,
    bind: (expr, scope) => {
      const named = aggregateNamed(expr.callee.text);
      if (named === undefined) return undefined;
      if (named.record.name === 'arg_max' || named.record.name === 'arg_min') {
        scope.query.report.error(
          'unsupported',
          expr.span,
          `${named.name} gives several columns and cannot be part of an expression`,
        );
        return [nullScalar];
      }
      const collected = bindAggregate(named, expr, rowScope(scope, rows));
      return collected === undefined ? [nullScalar] : collect(collected, named, found, scope.query);
    },
  };
}

/** Inside an aggregate the columns of the rows are visible, and aggregates are not allowed. */
export function rowScope(scope: Scope, rows: Schema): Scope {
  const { query, lets, rules } = scope;
  return { query, lets, rules, schema: rows };
}

/**
 * Records an aggregate and returns the column for its result, or the columns for integers and for
 * other numbers.
 */
function collect(
  collected: CollectedAggregate,
  named: NamedAggregate,
  found: CollectedAggregate[],
  query: QueryContext,
): Bound {
  const { id, call, info, whole } = collected;
  const set = (part: Scalar): Scalar => {
    const other = { id: query.fresh(`${call.name}_`), call: { ...call, type: part.type, args: [part] }, info };
    found.push(other);
    return columnOf({ type: part.type, id: other.id });
  };
  const parts = whole === undefined ? [] : [set(whole)];
  if (whole !== undefined && named.record.ofNumbers === 'sum') parts.push(set(isOther(call.args[0]!, whole)));
  found.push(collected);
  const result = columnOf({ type: call.type, id });
  return parts.length === 0 ? [result] : ofNumbers(result, parts);
}

/** Binds one aggregate over rows; reports an error and returns undefined if it is invalid. */
export function bindAggregate(named: NamedAggregate, expr: CallExpr, scope: Scope): CollectedAggregate | undefined {
  const { name, overloads } = named;
  const { report } = scope.query;
  const star = named.record.labeled === true ? undefined : expr.args.find((arg) => arg.value.kind === 'star');
  if (star !== undefined) {
    const alternative = otherDialectWildcards.get(name);
    const advice = alternative === undefined ? '' : `; ${alternative}`;
    report.error('argument_type', star.value.span, `${name} takes no *${advice}`);
    return undefined;
  }
  const given = expr.args.find((arg) => arg.name !== undefined)?.name;
  if (given !== undefined) report.warning('note', given.span, withoutNames(name));
  if (name === 'count' && expr.args.length === 1) return countOfValues(expr, scope);
  const exprs = expr.args.map((arg) => arg.value);
  const args = exprs.flatMap((value, i): readonly BoundArgument[] =>
    named.record.labeled === true && i > 0
      ? labelArguments(value, scope)
      : [argumentOf(value, bindScalar(value, scope))],
  );
  if (!acceptsCount({ name, overloads: overloadsOf(named), args, span: expr.span }, scope.query)) return undefined;
  let condition: Scalar | undefined;
  if (named.predicate !== undefined) {
    const at = named.predicate < 0 ? args.length - 1 : named.predicate;
    const predicate = args[at]!;
    condition = fit(predicate.value, 'bool')?.scalar;
    if (condition === undefined) {
      report.error('argument_type', predicate.span, `argument ${at + 1} of ${name} must be a condition`);
      return undefined;
    }
    args.splice(at, 1);
    exprs.splice(at, 1);
  }
  if (named.record.exactIntegers === true && args[0] !== undefined) args[0] = withExactIntegers(args[0]);
  // The extreme of a field that no event has may stand where anything is wanted, as the field
  // itself may.
  const isMissing = args[0] !== undefined && isMissingValue(args[0].value, scope.query);
  const of = isMissing && named.record.ofNumbers === 'extreme' ? aggregateNamed('take_any')!.overloads : overloads;
  const chosen = choose({ name, overloads: of, args, span: expr.span }, scope.query);
  if (chosen === undefined) return undefined;
  const whole =
    named.record.ofNumbers === undefined || chosen.args[0]?.type !== 'real'
      ? undefined
      : integerOf(args[0]!.value, scope.query);
  const id = scope.query.fresh(`${name}_`);
  if (isMissing && named.record.fitsIfMissing === true) scope.query.missingColumns.add(id);
  return {
    ...(whole === undefined ? {} : { whole }),
    id,
    call: {
      name,
      ...chosen,
      ...(condition === undefined ? {} : { condition }),
      ...(named.record.labeled === true ? { repeats: true } : {}),
    },
    info: infoOf(named, exprs, named.record.labeled === true ? [] : chosen.args),
  };
}

/** A field with integers and floats as JSON, in which equal numbers are equal texts. */
const withExactIntegers = (argument: BoundArgument): BoundArgument =>
  argument.value.length > 1 && argument.value.every(({ type }) => type === 'long' || type === 'real')
    ? { ...argument, value: [mergeReadings(argument.value, 'dynamic')] }
    : argument;

/** `count(a)`, which other languages have: the rows that have a value. */
function countOfValues(expr: CallExpr, scope: Scope): CollectedAggregate | undefined {
  const { callee, args, span } = expr;
  scope.query.report.warning(
    'note',
    span,
    'count(a) counts the rows in which a has a value; all rows are counted by count(), different values by dcount(a)',
  );
  const isThere: CallExpr = { kind: 'call', callee: { ...callee, text: 'isnotnull' }, args, span };
  const counted = { ...expr, callee: { ...callee, text: 'countif' }, args: [{ value: isThere }] };
  return bindAggregate(aggregateNamed('countif')!, counted, scope);
}

/** A field, preceded by its name; `*` means all fields that are not datetimes. */
function labelArguments(expr: Expr, scope: Scope): readonly BoundArgument[] {
  const { span } = expr;
  const label = (name: string): BoundArgument => ({ value: [constant('string', name)], span });
  if (expr.kind !== 'star') return [label(impliedName(expr) ?? 'expression'), { value: bindScalar(expr, scope), span }];
  return scope.schema.fields.flatMap((field) =>
    field.readings.some((reading) => reading.type === 'datetime')
      ? []
      : [label(field.name), { value: readingsOf(field), span }],
  );
}

/** How results describe the aggregate: fields by name, constants as arguments. */
function infoOf({ api }: NamedAggregate, exprs: readonly Expr[], args: readonly Scalar[]): AggregateInfo {
  const fields = exprs.flatMap((expr, i) =>
    args[i]?.kind === 'constant' ? [] : (spelledName(expr) ?? impliedName(expr) ?? []),
  );
  const constants = args.flatMap((arg): readonly (string | number | boolean)[] => {
    if (arg.kind !== 'constant' || arg.value === null) return [];
    return [typeof arg.value === 'bigint' ? Number(arg.value) : arg.value];
  });
  return {
    name: api,
    ...(fields.length === 0 ? {} : { fields }),
    ...(constants.length === 0 ? {} : { args: constants }),
  };
}
