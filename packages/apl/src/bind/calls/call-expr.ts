import { objectValues } from '../names/objects.js';
import { aggregateNamed, aggregateNames } from '../../aggregates/index.js';
import type { OverloadedFunction } from '../../functions/define.js';
import { functionNamed, functionNames } from '../../functions/index.js';
import { constant, constantText, nullScalar } from '../../plan/scalar.js';
import type { Bound } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { CallExpr, Span } from '../../syntax/ast.js';
import { infixOperators } from '../../syntax/infix-operators.js';
import { findNearest } from '../../syntax/hints/suggestions.js';
import { argumentOf, acceptsCount } from './calls.js';
import type { BoundArgument } from './calls.js';
import { single } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { textFirstElsewhere } from './other-dialect-arguments.js';
import { withoutNames } from './placed-arguments.js';
import { foreignFunctionAdvice, otherDialectFunctions } from './other-dialect-functions.js';
import { bindConstantText } from '../names/names.js';
import { sourceText, spelledName } from '../names/spelled-name.js';
import { bindSpecial, specialForms } from './special.js';
import { callWithoutMode } from './typed-call.js';
import { callUserFunction } from './user-function.js';
import { desugar } from './written-call.js';
import { bindNumbers } from '../values/whole-numbers.js';

/**
 * Binds a call of a function defined in the query, of an aggregate where those are allowed, or of a
 * built-in function.
 */
export function bindCallExpr(expr: CallExpr, scope: Scope): Bound {
  const { text: name, span } = expr.callee;
  const { report } = scope.query;
  const own = scope.lets.get(name);
  if (own?.kind === 'function') return callUserFunction(own, expr, scope);
  if (aggregateNamed(name) !== undefined) {
    const collected = scope.aggregates?.bind(expr, scope);
    if (collected !== undefined) return collected;
    if (functionNamed(name) === undefined) {
      if (scope.aggregates === undefined) reportMisplaced(expr, scope);
      return [nullScalar];
    }
  }
  const plain = callWithoutMode(expr, scope);
  if (plain !== undefined) return bindScalar(plain, scope);
  const special = specialForms.get(name);
  const record = functionNamed(name);
  const named = expr.args.find((arg) => arg.name !== undefined);
  if (named?.name !== undefined && (special ?? record) !== undefined)
    report.warning('note', named.name.span, withoutNames(name));
  if (special !== undefined) return bindSpecial(special, expr, scope);
  if (record === undefined) {
    const advice =
      foreignFunctionAdvice.get(name.toLowerCase()) ??
      (infixOperators.has(name) ? `it stands between values: ${infixOperators.get(name)!.syntax}` : undefined);
    const near = advice === undefined && !report.isFull ? suggestName(name) : undefined;
    const fix = near === undefined ? undefined : { title: `Change to ${near}`, replacement: near };
    const more = advice ?? (near === undefined ? undefined : `did you mean ${near}?`);
    report.error('unknown_function', span, `there is no function ${name}${more === undefined ? '' : `; ${more}`}`, fix);
    for (const arg of expr.args) if (arg.value.kind !== 'star') bindScalar(arg.value, scope);
    return [nullScalar];
  }
  const others = desugar(record, expr);
  if (others !== undefined) {
    const fits = acceptsCount({ name, overloads: record.overloads, args: expr.args, span: expr.span }, scope.query);
    return fits ? bindScalar(others, scope) : [nullScalar];
  }
  const args = expr.args.flatMap(({ value }, i) =>
    value.kind === 'star' && record.everyColumn !== undefined
      ? everyColumn(record.everyColumn, value.span, scope)
      : [argumentOf(value, (takesConstantText(record, i) ? bindConstantText : bindScalar)(value, scope))],
  );
  const ordered = textFirstElsewhere.has(name) ? textLast(args, expr, scope) : args;
  return bindNumbers({ name, overloads: record.overloads, args: ordered, span: expr.span }, scope.query);
}

/** `replace_regex(text, regex, rewrite)` in the order that is used here, with `$1` for `\\1`. */
function textLast(args: readonly BoundArgument[], expr: CallExpr, scope: Scope): readonly BoundArgument[] {
  const [text, ...constants] = args;
  const texts = constants.map(({ value }) => constantText(single(value)));
  if (
    text === undefined ||
    constants.length !== 2 ||
    texts.includes(undefined) ||
    single(text.value).kind === 'constant'
  )
    return args;
  const name = expr.callee.text;
  scope.query.report.warning('note', expr.span, `the text comes last: ${name}(regex, rewrite, text)`);
  const [regex, rewrite] = constants as [BoundArgument, BoundArgument];
  const groups = constant('string', texts[1]!.replace(/\\(\d)/g, '$$$1'));
  return [regex, { ...rewrite, value: [groups] }, text];
}

/**
 * Reports an aggregate outside of `summarize`. After it, the intended column may be the aggregate's
 * result.
 */
function reportMisplaced({ callee, args, span }: CallExpr, { schema, query: { report } }: Scope): void {
  const [arg] = args;
  const made = `${callee.text}_${(arg && spelledName(arg.value)) ?? ''}`;
  const message = `${callee.text} is an aggregate: it belongs into summarize or make-series, before by`;
  if (fieldNamed(schema, made) === undefined) return report.error('not_aggregate', callee.span, message);
  const replacement = sourceText(made);
  const fix = { title: `Change to ${replacement}`, replacement };
  report.error('not_aggregate', span, `${message}; the column it made is ${replacement}`, fix);
}

/**
 * The nearest function to an unknown name. Among equally near ones aggregates win, because they are
 * more frequent: count, not cot.
 */
const suggestName = (name: string): string | undefined =>
  otherDialectFunctions.get(name.toLowerCase()) ??
  findNearest(name, [...aggregateNames(), ...functionNames(), ...specialForms.keys()]);

/**
 * Whether an argument must be a text that is written in the query, such as the part in
 * `datetime_part('hour', t)`.
 */
const takesConstantText = ({ overloads }: OverloadedFunction, index: number): boolean =>
  overloads.every(({ params }) => params[index]?.constant === true && params[index].type === 'string');

/** All columns as arguments. */
const everyColumn = (
  form: NonNullable<OverloadedFunction['everyColumn']>,
  span: Span,
  scope: Scope,
): readonly BoundArgument[] =>
  form === 'values'
    ? scope.schema.fields.map((field) => ({ value: readingsOf(field), span }))
    : objectValues(scope.schema).flatMap(({ name, value }) => [
        { value: [constant('string', name)], span },
        { value, span },
      ]);
