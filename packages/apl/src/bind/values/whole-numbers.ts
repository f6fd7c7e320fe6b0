import { and, call, literal } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { orFalse, whereAll } from '../../lower/equality.js';
import { nullOf } from '../../lower/values.js';
import { callOf } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { bindCall } from '../calls/calls.js';
import type { OpenCall } from '../calls/calls.js';
import { dynamicOf, mergeReadings } from './coerce.js';
import type { QueryContext } from '../context.js';

/**
 * Numbers in dynamic values are integers in some rows and reals in others. As reals, integers
 * beyond 2^53 lose digits, and `5 / 2` is a different number. So a value computed from them has two
 * type variants: an integer where all operands are integers, and a real elsewhere.
 */

/**
 * Binds a call; its value has two type variants if the integer variant returns an integer and the
 * arguments are only known to be numbers.
 */
export function bindNumbers(open: OpenCall<Overload>, query: QueryContext): Bound {
  const scalar = bindCall(open, query);
  if (scalar.kind !== 'call' || scalar.args.length !== open.args.length) return [scalar];
  const wholes = open.args.map(({ value }, i) =>
    scalar.args[i]?.type === 'real' ? integerOf(value, query) : undefined,
  );
  const parts = wholes.flatMap((whole) => whole ?? []);
  if (parts.length === 0) return [scalar];
  const args = open.args.map((arg, i) => {
    const whole = wholes[i];
    return whole === undefined ? arg : { ...arg, value: [whole] as const };
  });
  const { result: exact } = query.report.apart(() => bindCall({ ...open, args }, query));
  if (exact.type !== 'long' && exact.type !== scalar.type) return [scalar];
  const whole = callOf(WHOLE, onlyWhere(exact.type), [exact, ...parts]);
  if (exact.type === scalar.type)
    return scalar.type === 'real' ? [scalar] : [mergeReadings([whole, scalar], scalar.type)];
  return [whole, callOf(open.name, exceptWhere, [scalar, ...parts])];
}

/**
 * The integers that a value holds; undefined if it is known to hold none, or never anything else.
 */
export function integerOf(bound: Bound, query: QueryContext): Scalar | undefined {
  const longs = bound.filter(({ type }) => type === 'long');
  if (bound.some(({ type }) => type === 'real')) return longs.find((scalar) => isInteger(scalar, query));
  const json = dynamicOf(bound);
  return json?.type === 'dynamic'
    ? mergeReadings([...longs, callOf('integer', wholeInJson, [json])], 'long')
    : undefined;
}

/** Name of the call that marks integers computed from dynamic values. */
const WHOLE = 'whole';

/**
 * Whether an integer has a real column next to it because it was computed from dynamic values.
 * Fields with both type variants are different: they are numbers with a fraction that is sometimes
 * missing.
 */
export const isInteger = (scalar: Scalar, query: QueryContext): boolean =>
  scalar.kind === 'column' ? query.wholeColumns.has(scalar.id) : scalar.kind === 'call' && scalar.name === WHOLE;

/** 1 where a number is not the integer that it might be. */
export const isOther = (number: Scalar, whole: Scalar): Scalar => callOf('is_other', otherNumber, [number, whole]);

const otherNumber = defineOverload({
  params: [param('number', 'real'), param('whole', 'long')],
  returns: 'long',
  lower: ([number, whole]) => and(call('isNotNull', number.sql), call('isNull', whole.sql)),
});

/**
 * The result of an aggregate of numbers, given that of their integers and how many others there
 * are; without that, it is a whole number where both are equal.
 */
export function ofNumbers(result: Scalar, [whole, others]: readonly Scalar[]): Bound {
  const parts = [result, whole!, ...(others === undefined ? [] : [others])];
  return [callOf(WHOLE, resultOf('long'), parts), callOf('real', resultOf('real'), parts)];
}

const resultOf = (type: 'long' | 'real'): Overload =>
  defineOverload({
    params: [param('result', 'real'), param('whole', 'long'), param('others', 'long', { optional: true })],
    returns: type,
    lower: ([result, whole, others]) => {
      const isInteger =
        others === undefined
          ? call('equals', call('toFloat64', whole.sql), result.sql)
          : call('equals', others.sql, literal(0n));
      const [then, otherwise] = type === 'long' ? [whole.sql, nullOf('long')] : [nullOf('real'), result.sql];
      return call('if', orFalse(isInteger), then, otherwise);
    },
  });

/** An integer has neither a fraction nor an exponent, as in events. */
const wholeInJson = defineOverload({
  params: [param('number', 'dynamic')],
  returns: 'long',
  lower: ([json]) => call('toInt64OrNull', json.sql),
});

const onlyWhere = (type: Scalar['type']): Overload =>
  defineOverload({
    params: [param('value', type)],
    rest: param('part', 'long'),
    returns: type,
    lower: ([value, ...parts]) =>
      whereAll(
        parts.map(({ sql }) => sql),
        value.sql,
      ),
  });

const exceptWhere = defineOverload({
  params: [param('value', 'real')],
  rest: param('part', 'long'),
  returns: 'real',
  lower: ([value, ...parts]) =>
    call('if', and(...parts.map(({ sql }) => call('isNotNull', sql))), nullOf('real'), value.sql),
});
