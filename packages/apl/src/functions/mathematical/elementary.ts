import { and, call, integer, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineOverload, defineFunction, param, unary } from '../define.js';
import type { Example, FunctionRecord } from '../define.js';
import { MIN_LONG } from '../../model/int64.js';

type OfReal = (x: Expr) => Expr;

/** A function of one number. */
export const ofNumber = unary(param('x', 'real'));

const ofReal = (name: string, summary: string, lower: OfReal, examples: readonly Example[]): FunctionRecord =>
  ofNumber(name, summary, 'real', lower, examples);

const ofTwo = (
  name: string,
  summary: string,
  names: readonly [string, string],
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [param(names[0], 'real'), param(names[1], 'real')],
    returns: 'real',
    lower: ([a, b]) => call(name, a.sql, b.sql),
    examples,
  });

/** The engine's function with the same meaning. */
export const engine =
  (name: string): OfReal =>
  (x) =>
    call(name, x);

/** Null, instead of not-a-number, where the function is not defined. */
const within =
  (name: string, domain: (x: Expr) => Expr): OfReal =>
  (x) =>
    shareSubexpression(x, (value) => call('if', domain(value), call(name, value), nullOf('real')));

const positive: OfReal = (x) => call('greater', x, literal(0));
const unitInterval: OfReal = (x) => and(call('greaterOrEquals', x, literal(-1)), call('lessOrEquals', x, literal(1)));
/** Gamma has poles at zero and the negative integers. */
const noPole: OfReal = (x) => or(positive(x), call('notEquals', x, call('floor', x)));

export const elementary: readonly FunctionRecord[] = [
  defineFunction({
    name: 'pi',
    summary: 'The ratio of a circle to its diameter, 3.14159….',
    params: [],
    returns: 'real',
    lower: () => literal(Math.PI),
    fold: () => Math.PI,
    examples: [
      { apl: 'pi()', gives: Math.PI },
      { apl: 'round(pi(), 2)', gives: 3.14 },
    ],
  }),
  ofReal('sin', 'The sine of an angle in radians.', engine('sin'), [
    { apl: 'sin(pi() / 2)', gives: 1 },
    { apl: 'sin(0)', gives: 0 },
  ]),
  ofReal('cos', 'The cosine of an angle in radians.', engine('cos'), [{ apl: 'cos(pi())', gives: -1 }]),
  ofReal('tan', 'The tangent of an angle in radians.', engine('tan'), [{ apl: 'tan(pi() / 4)', gives: 1 }]),
  ofReal(
    'cot',
    'The cotangent of an angle in radians; infinite at 0.',
    (x) => call('divide', literal(1), call('tan', x)),
    [
      { apl: 'cot(pi() / 4)', gives: 1 },
      { apl: 'isinf(cot(0))', gives: true },
    ],
  ),
  ofReal('asin', 'The angle in radians whose sine is the number; null outside -1 to 1.', within('asin', unitInterval), [
    { apl: 'asin(1)', gives: Math.PI / 2 },
    { apl: 'asin(-1.5)', gives: null },
  ]),
  ofReal(
    'acos',
    'The angle in radians whose cosine is the number; null outside -1 to 1.',
    within('acos', unitInterval),
    [
      { apl: 'acos(0)', gives: Math.PI / 2 },
      { apl: 'acos(2)', gives: null },
    ],
  ),
  ofReal('atan', 'The angle in radians whose tangent is the number.', engine('atan'), [
    { apl: 'atan(1)', gives: Math.PI / 4 },
  ]),
  ofTwo(
    'atan2',
    'The angle in radians between the x axis and the ray to the point (x, y).',
    ['y', 'x'],
    [
      { apl: 'atan2(1, -1)', gives: (3 * Math.PI) / 4 },
      { apl: 'atan2(0, 0)', gives: 0 },
    ],
  ),
  ofReal('degrees', 'An angle in radians as degrees.', engine('degrees'), [{ apl: 'degrees(pi())', gives: 180 }]),
  ofReal('radians', 'An angle in degrees as radians.', engine('radians'), [{ apl: 'radians(180)', gives: Math.PI }]),
  ofReal('exp', 'e raised to the number.', engine('exp'), [
    { apl: 'exp(1)', gives: Math.E },
    { apl: 'isinf(exp(1000))', gives: true },
  ]),
  ofReal('exp2', '2 raised to the number.', engine('exp2'), [{ apl: 'exp2(-1)', gives: 0.5 }]),
  ofReal('exp10', '10 raised to the number.', engine('exp10'), [{ apl: 'exp10(3)', gives: 1000 }]),
  ofReal('log', 'The natural logarithm; null for zero and below.', within('log', positive), [
    { apl: 'log(exp(2))', gives: 2 },
    { apl: 'log(0)', gives: null },
    { apl: 'log(-1)', gives: null },
  ]),
  ofReal('log2', 'The logarithm to base 2; null for zero and below.', within('log2', positive), [
    { apl: 'log2(1024)', gives: 10 },
    { apl: 'log2(0)', gives: null },
  ]),
  ofReal('log10', 'The logarithm to base 10; null for zero and below.', within('log10', positive), [
    { apl: 'log10(1000)', gives: 3 },
    { apl: 'log10(-0.5)', gives: null },
  ]),
  ofTwo(
    'pow',
    'The base raised to the exponent.',
    ['base', 'exponent'],
    [
      { apl: 'pow(2, 10)', gives: 1024 },
      { apl: 'pow(2, -0.5)', gives: Math.SQRT1_2 },
      { apl: 'isnan(pow(-8, 0.5))', gives: true },
    ],
  ),
  ofReal('sqrt', 'The square root; not a number for negative numbers, which results show as null.', engine('sqrt'), [
    { apl: 'sqrt(16)', gives: 4 },
    { apl: 'sqrt(-1)', gives: null },
    { apl: 'isnan(sqrt(-1))', gives: true },
  ]),
  ofReal('erf', 'The error function.', engine('erf'), [
    { apl: 'erf(0)', gives: 0 },
    { apl: 'erf(1)', gives: 0.8427007929497149, tolerance: 1e-9 },
  ]),
  ofReal('erfc', 'One minus the error function.', engine('erfc'), [
    { apl: 'erfc(1)', gives: 0.15729920705028513, tolerance: 1e-9 },
  ]),
  ofReal('gamma', 'The gamma function; null at zero and the negative integers.', within('tgamma', noPole), [
    { apl: 'gamma(5)', gives: 24 },
    { apl: 'gamma(0.5)', gives: Math.sqrt(Math.PI) },
    { apl: 'gamma(-3)', gives: null },
  ]),
  ofReal(
    'loggamma',
    'The natural logarithm of the absolute value of the gamma function; null at zero and the negative integers.',
    within('lgamma', noPole),
    [
      { apl: 'loggamma(10)', gives: 12.801827480081469, tolerance: 1e-9 },
      { apl: 'loggamma(0)', gives: null },
    ],
  ),
  {
    name: 'abs',
    summary: 'The number or timespan without its sign.',
    overloads: [
      defineOverload({ params: [param('x', 'long')], returns: 'long', lower: ([x]) => absoluteInteger(x.sql) }),
      defineOverload({ params: [param('x', 'real')], returns: 'real', lower: ([x]) => call('abs', x.sql) }),
      defineOverload({ params: [param('x', 'timespan')], returns: 'timespan', lower: ([x]) => absoluteInteger(x.sql) }),
    ],
    examples: [
      { apl: 'abs(-5)', gives: 5 },
      { apl: 'abs(80.5 - 200)', gives: 119.5 },
      { apl: 'abs(-1h) == 1h', gives: true },
      { apl: 'abs(dynamic({"x": -0.5}).x)', gives: 0.5 },
      { apl: 'abs(tolong("-9223372036854775808"))', gives: null },
    ],
  },
  defineFunction({
    name: 'sign',
    summary: '1 for a positive number, -1 for a negative one, otherwise 0.',
    params: [param('x', 'number')],
    returns: 'long',
    lower: ([x]) => call('minus', positive(x.sql), call('less', x.sql, literal(0))),
    examples: [
      { apl: 'sign(-3.2)', gives: -1 },
      { apl: 'sign(8)', gives: 1 },
      { apl: 'sign(0.0)', gives: 0 },
    ],
  }),
];

/** The smallest integer has no positive counterpart: null. */
function absoluteInteger(x: Expr): Expr {
  return call('nullIf', call('toInt64', call('abs', x)), integer(MIN_LONG));
}
