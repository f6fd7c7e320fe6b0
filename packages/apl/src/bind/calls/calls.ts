import { column, select } from '@millrace/sql';
import type { AggregateOverload } from '../../aggregates/define.js';
import { boundsText } from '../../functions/define.js';
import type { AboutArgument, Arguments, FoldContext, Overload, Param, ParamType } from '../../functions/define.js';
import { lowerScalar } from '../../lower/scalar.js';
import type { ScalarScope } from '../../lower/scalar.js';
import { callOf, constant, constantText, nullScalar, partsOf, readsRow, resultOf } from '../../plan/scalar.js';
import type { Bound, CallScalar, Scalar } from '../../plan/scalar.js';
import type { Expr, Span } from '../../syntax/ast.js';
import { parseTimespan } from '../../syntax/lexing/timespan.js';
import type { ScalarType } from '../../model/types.js';
import { lookUpConstant } from '../look-up-constant.js';
import { byReading, isByReading } from '../values/by-reading.js';
import type { QueryContext } from '../context.js';
import { textOf } from '../values/convert-text.js';
import { isWeekday } from '../values/weekday.js';
import { foreignArguments, textLast } from './other-dialect-arguments.js';
import { becomesJson, fit, single } from '../values/coerce.js';
import { fittingEverywhere } from '../values/missing-values.js';
import type { Fit } from '../values/coerce.js';
import { otherOrder } from './other-order.js';
import { mayRead, noteReadArguments, readFit } from './read-arguments.js';
import { typeLabel } from '../values/type-label.js';

/** An argument and its place. */
export interface BoundArgument {
  readonly value: Bound;
  readonly span: Span;
  /** The expression in the query, for messages about how to write it. */
  readonly expr?: Expr;
}

const isLiteral = ({ expr }: BoundArgument): boolean => expr?.kind === 'literal';

/** An expression as an argument, and its value. */
export const argumentOf = (expr: Expr, value: Bound): BoundArgument => ({
  value,
  span: expr.span,
  expr,
});

/** A call whose arguments are bound; which of the overloads it means is still open. */
export interface OpenCall<O> {
  readonly name: string;
  readonly overloads: readonly O[];
  readonly args: readonly BoundArgument[];
  readonly span: Span;
}

/** Common properties of the overloads of functions and aggregates. */
type Signature = Pick<Overload, 'params' | 'rest' | 'returns' | 'check'>;

interface OverloadMatch<O> {
  readonly overload: O;
  readonly args: readonly Scalar[];
  readonly type: ScalarType;
}

/**
 * Binds a call: picks the overload that fits with the least conversion, folds constants. Null and
 * an error if none fits.
 */
export function bindCall(open: OpenCall<Overload>, query: QueryContext): Scalar {
  const chosen = choose(open, query);
  if (chosen === undefined) return nullScalar;
  const [only, ...others] = open.args;
  return only !== undefined && others.length === 0 && only.value.length > 1 && isByReading(chosen.overload)
    ? byReading(open.name, chosen.overload, only.value)
    : foldCall({ kind: 'call', name: open.name, ...chosen }, query);
}

/** As `callOf`, but its value if that is known while compiling. */
export function apply(name: string, overload: Overload, args: readonly Scalar[], query: QueryContext): Scalar {
  if (overload.readsEventTimes === true) query.needs.add('event-times');
  return foldCall(callOf(name, overload, args), query);
}

/**
 * Picks the overload for the arguments and converts them; reports an error and returns undefined if
 * none fits.
 */
export function choose<O extends Overload | AggregateOverload>(
  open: OpenCall<O>,
  query: QueryContext,
): OverloadMatch<O> | undefined {
  if (!acceptsCount(open, query)) return undefined;
  const { name, overloads, args, span } = open;
  const fitting = overloads.filter((overload) => accepts(overload, args.length));
  const best =
    cheapest(fitting, (overload) => fitAll(overload, args)) ??
    cheapest(fitting, (overload) => fitReading(name, overload, args, query)) ??
    cheapest(fitting, (overload) => fitAll(overload, withoutMissing(args, query)));
  if (best === undefined) {
    reportTypes({ ...open, overloads: fitting }, query);
    return undefined;
  }
  const { overload } = best;
  noteReadArguments(name, args, best.fits, (i) => paramAt(overload, i)?.isRanked === true, query);
  if (overload.readsEventTimes === true) query.needs.add('event-times');
  const scalars = best.fits.flatMap(
    ({ scalar }, i) =>
      (paramAt(overload, i)?.constant === true ? knownValue(scalar, args[i]?.span ?? span, query) : scalar) ?? [],
  );
  if (scalars.length < best.fits.length) return undefined;
  for (const [i, scalar] of scalars.entries()) {
    const param = paramAt(overload, i);
    if (param?.constant === true && scalar.kind !== 'constant') {
      const fix = otherOrder(name, args, i, span);
      const mended = fix === undefined ? '' : `; write ${fix.replacement}`;
      const message = `${param.name} of ${name} must be a constant${formText(name, [overload])}${mended}`;
      query.report.error('not_constant', fix === undefined ? (args[i]?.span ?? span) : span, message, fix);
      return undefined;
    }
    if (param !== undefined && isOtherKind(scalar.type, param.type)) {
      const place = `argument ${i + 1} of ${name}`;
      const message = `${place} should be ${typeLabel(param.type)}, but is ${typeLabel(scalar.type)}`;
      query.report.warning('type_mismatch', args[i]?.span ?? span, message);
    }
    const outside = param === undefined ? undefined : outsideOf(param, scalar);
    if (param !== undefined && outside !== undefined) {
      const { code, bounds } = outside;
      query.report.error(code, args[i]?.span ?? span, `${param.name} of ${name} must be ${bounds}`);
      return undefined;
    }
  }
  const lowered = scalars.map((scalar) => lowerScalar(scalar, outline));
  const found = overload.check?.(lowered, foldContext(query));
  if (found !== undefined) {
    query.report.error('argument_type', args[found.argument]?.span ?? span, found.message);
    return undefined;
  }
  const doubt = overload.doubt?.(lowered) ?? doubtOfOrder(name, overload, scalars);
  if (doubt !== undefined) query.report.warning('note', args[doubt.argument]?.span ?? span, doubt.message);
  return { overload, args: scalars, type: resultOf(overload, scalars) };
}

/**
 * The value of an argument that must be constant. An argument that is equal for all rows, such as
 * `toscalar(T | …)`, is looked up; undefined until its value is known.
 */
function knownValue(scalar: Scalar, span: Span, query: QueryContext): Scalar | undefined {
  if (scalar.kind === 'constant' || readsRow(scalar) || isRandom(scalar)) return scalar;
  return lookUpConstant(scalar, span, query);
}

export const isRandom = (scalar: Scalar): boolean =>
  (scalar.kind === 'call' && scalar.overload.isRandom === true) || partsOf(scalar).some(isRandom);

/**
 * Detects swapped arguments: a column as the search value and a constant as the text. Other
 * languages put the text first.
 */
function doubtOfOrder(name: string, overload: Arguments, scalars: readonly Scalar[]): AboutArgument | undefined {
  if (!textLast.has(name) || scalars[0]?.kind === 'constant' || scalars.at(-1)?.kind !== 'constant') return undefined;
  return { argument: scalars.length - 1, message: `the text comes last${formText(name, [overload])}` };
}

/** Whether a call may have this many arguments; if not, reports how many it needs. */
export function acceptsCount(
  { name, overloads, args, span }: Omit<OpenCall<Arguments>, 'args'> & { readonly args: readonly unknown[] },
  { report }: QueryContext,
): boolean {
  const count = args.length;
  if (overloads.some((overload) => accepts(overload, count))) return true;
  const habit = foreignArguments.get(name);
  const advice = habit === undefined || count < habit.from ? '' : `; ${habit.instead}`;
  const message = `${name} takes ${countText(overloads)}, not ${count}${formText(name, overloads)}${advice}`;
  report.error('argument_count', span, message);
  return false;
}

/**
 * An array where an object is expected, or the reverse. Not an error, because a field may contain
 * both, but probably a mistake.
 */
const isOtherKind = (type: ScalarType, wanted: ParamType): boolean =>
  (type === 'array' && wanted === 'bag') || (type === 'bag' && wanted === 'array');

/**
 * Error for a constant outside the bounds of its parameter. An optional parameter may be null,
 * which counts as omitted.
 */
function outsideOf(
  { within, optional }: Param,
  scalar: Scalar,
): { readonly code: 'argument_type' | 'limit'; readonly bounds: string } | undefined {
  if (within === undefined || scalar.kind !== 'constant' || (optional === true && scalar.value === null))
    return undefined;
  const { min, max } = within;
  const { value } = scalar;
  const bounds = boundsText(within);
  if (typeof value !== 'bigint' || (min !== undefined && value < min)) return { code: 'argument_type', bounds };
  return max !== undefined && value > max ? { code: 'limit', bounds } : undefined;
}

/** A scope for inspecting constants while binding: column IDs become column names. */
const outline: ScalarScope = {
  columns: { get: (id) => column(id) },
  context: { now: () => 0n, reference: {}, range: { start: 0n, end: 0n } },
  query: () => select({ columns: [] }),
  memo: { lowered: new WeakMap(), changing: 0 },
};

const paramAt = (overload: Arguments, index: number): Param | undefined => overload.params[index] ?? overload.rest;

const accepts = (overload: Arguments, count: number): boolean =>
  count >= overload.params.filter((p) => p.optional !== true).length &&
  (overload.rest !== undefined || count <= overload.params.length);

/** The overload whose arguments need the least conversion; the first of several. */
function cheapest<O>(
  overloads: readonly O[],
  fitsOf: (overload: O) => readonly Fit[] | undefined,
): { readonly overload: O; readonly fits: readonly Fit[] } | undefined {
  let best: { readonly overload: O; readonly fits: readonly Fit[]; readonly cost: number } | undefined;
  for (const overload of overloads) {
    const fits = fitsOf(overload);
    if (fits === undefined) continue;
    const cost = fits.reduce((sum, f) => sum + f.cost, 0);
    if (best === undefined || cost < best.cost) best = { overload, fits, cost };
  }
  return best;
}

/** Arguments in which columns that are null in all rows are the null that fits everywhere. */
const withoutMissing = (args: readonly BoundArgument[], query: QueryContext): readonly BoundArgument[] =>
  args.map((arg) => ({ ...arg, value: fittingEverywhere(arg.value, query) }));

/** Like `fitAll`, but strings may be parsed as the parameter's type. */
function fitReading(
  name: string,
  overload: Arguments,
  args: readonly BoundArgument[],
  query: QueryContext,
): readonly Fit[] | undefined {
  const fits = fitAll(overload, args, (arg, param) => readFit(arg, param, query));
  return fits !== undefined && mayRead(name, fits) ? fits : undefined;
}

function fitAll(
  overload: Arguments,
  args: readonly BoundArgument[],
  otherwise?: (arg: BoundArgument, param: Param) => Fit | undefined,
): readonly Fit[] | undefined {
  const fits: Fit[] = [];
  for (const [i, arg] of args.entries()) {
    const param = paramAt(overload, i);
    const value: Bound = param?.asText === true && arg.value.length > 1 ? [textOf(arg.value)] : arg.value;
    const found = param === undefined ? undefined : (fit(value, param.type) ?? otherwise?.(arg, param));
    if (found === undefined) return undefined;
    fits.push(found);
  }
  // Values become JSON if another one is JSON. Otherwise, different types are probably a mistake.
  return fits.length > 1 && fits.every(becomesJson) ? undefined : fits;
}

const foldContext = ({ now, reference }: QueryContext): FoldContext => ({ now, reference });

/** Replaces a call on constants by its value if the overload can compute it. */
function foldCall(call: CallScalar, query: QueryContext): Scalar {
  const { fold } = call.overload;
  if (fold === undefined || partsOf(call).some((part) => part.kind !== 'constant')) return call;
  if (!query.expressions.computes(call.args)) return call;
  const value = fold(
    call.args.map((arg) => (arg.kind === 'constant' ? arg.value : null)),
    foldContext(query),
  );
  if (value === undefined) return call;
  const result = constant(call.type, value);
  if (isWeekday(call, query)) query.weekdays.add(result);
  return result;
}

function reportTypes({ name, overloads, args, span }: OpenCall<Signature>, { report }: QueryContext): void {
  const wrong = args.findIndex((arg, i) =>
    overloads.every((overload) => {
      const param = paramAt(overload, i);
      return param === undefined || fit(arg.value, param.type) === undefined;
    }),
  );
  const given = args.map((arg) => typeLabel(single(arg.value).type));
  // Each argument alone would fit some overload.
  if (wrong < 0) {
    const help = given.includes('datetime') ? '; a timespan is written 1h' : '';
    report.error('argument_type', span, `${name} does not take ${given.join(' and ')}${help}`);
    return;
  }
  const wanted = [...new Set(overloads.map((overload) => typeLabel(paramAt(overload, wrong)?.type ?? 'any')))];
  const isNumber = wanted.includes('number');
  const types = wanted.filter((type) => !isNumber || (type !== 'long' && type !== 'real'));
  const { value } = args[wrong]!;
  const unquoted = isLiteral(args[wrong]!) ? withoutQuotes(single(value), wanted) : undefined;
  const order = isOtherOrder(wanted, given[wrong]!, args, wrong)
    ? `; the order is${formText(name, overloads).slice(1)}`
    : '';
  const help =
    order !== ''
      ? order
      : unquoted === undefined
        ? helpWith(wanted, given[wrong]!, name, given.toSpliced(wrong, 1))
        : `; without quotes: ${unquoted}`;
  report.error(
    'argument_type',
    args[wrong]!.span,
    `argument ${wrong + 1} of ${name} must be ${types.join(' or ')}, but is ${given[wrong]}${help}`,
    unquoted === undefined ? undefined : { title: `Change to ${unquoted}`, replacement: unquoted },
  );
}

/**
 * Whether a string literal follows an argument that should have been a string, as in
 * `datetime_diff(a, b, 'day')`.
 */
const isOtherOrder = (
  wanted: readonly string[],
  given: string,
  args: readonly BoundArgument[],
  wrong: number,
): boolean =>
  wanted.includes('string') &&
  given !== 'string' &&
  args.slice(wrong + 1).some((arg) => isLiteral(arg) && constantText(single(arg.value)) !== undefined);

/** The number or timespan in a text such as `"1h"`, as it should have been written. */
function withoutQuotes(scalar: Scalar, wanted: readonly string[]): string | undefined {
  const text = constantText(scalar)?.trim();
  if (text === undefined) return undefined;
  if (/^-?\d{1,18}$/.test(text) && ['number', 'long', 'real'].some((type) => wanted.includes(type))) return text;
  if (/^-?\d+\.\d+$/.test(text) && ['number', 'real'].some((type) => wanted.includes(type))) return text;
  if (!wanted.includes('timespan') || parseTimespan(text) === undefined) return undefined;
  return /^\d+[a-z]+$/.test(text) ? text : `timespan(${text})`;
}

/** How to get a value of a wanted type from the given one, if there is a way. */
function helpWith(wanted: readonly string[], given: string, name: string, siblings: readonly string[]): string {
  if (name === 'and' || name === 'or')
    return `; ${name} joins whole conditions, as in a == 1 ${name} b == 2, and several values are tested by a in (1, 2)`;
  if (wanted.includes('string')) return '; convert it with tostring()';
  const isTime = wanted.includes('datetime') && given === 'string';
  if (isTime && siblings.some((type) => type === 'datetime' || type === 'timespan'))
    return '; convert it with todatetime()';
  if (name === '+' && given === 'string') return '; strcat() joins texts, toint() and toreal() read numbers';
  const isNumber = ['number', 'long', 'real'].some((type) => wanted.includes(type));
  if (given === 'bool' && isNumber) return '; toint() makes 1 and 0 of it';
  if (given === 'string' && isNumber)
    return `; convert it with toint()${isTime ? ', toreal() or todatetime()' : ' or toreal()'}`;
  const [only, ...others] = wanted;
  if (others.length > 0) return '';
  if (only === 'timespan') return '; a timespan is written 1h';
  return only === 'datetime' ? '; a datetime is written datetime(2024-01-15)' : '';
}

/**
 * The longest form of the call, with the names of its arguments; empty for operators, which are not
 * written as calls.
 */
function formText(name: string, overloads: readonly Arguments[]): string {
  const [form] = overloads.toSorted((a, b) => b.params.length - a.params.length);
  if (form === undefined || !/^\w+$/.test(name)) return '';
  const names = form.params.map((p) => (p.optional === true ? `[${p.name}]` : p.name));
  return `: ${name}(${[...names, ...(form.rest === undefined ? [] : [`${form.rest.name}…`])].join(', ')})`;
}

function countText(overloads: readonly Arguments[]): string {
  const min = Math.min(...overloads.map((o) => o.params.filter((p) => p.optional !== true).length));
  const max = Math.max(...overloads.map((o) => (o.rest === undefined ? o.params.length : Infinity)));
  const plural = (n: number): string => `${n} argument${n === 1 ? '' : 's'}`;
  if (max === Infinity) return `at least ${plural(min)}`;
  return min === max ? plural(min) : `${min} to ${plural(max)}`;
}
