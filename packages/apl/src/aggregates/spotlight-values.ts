import { and, call, cast, column, integer, lambda, literal, nullLiteral, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { LoweredArgument } from '../functions/define.js';
import { equalBits } from '../lower/equality.js';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { asString } from '../lower/values.js';
import { arrayJson, packBag } from '../lower/json/members.js';

/** The result of `spotlight` for a field. */
interface Scores {
  readonly p_value: LoweredArgument;
  readonly effect_size: LoweredArgument;
  readonly delta_score: LoweredArgument;
  readonly median_relative_change: LoweredArgument;
  readonly differences: LoweredArgument;
}

/** Scores as JSON text. */
export const scoreBag = (scores: Scores): Expr =>
  packBag(
    Object.entries(scores).map(([key, value]: readonly [string, LoweredArgument]) => ({
      key: { type: 'string', constant: key, sql: literal(key) },
      value,
    })),
  );

/**
 * The most values that are counted on each side. Fields with more values are counted approximately,
 * with this many counters.
 */
const COUNTED = 500;
const SHOWN = 10;

const real = (sql: Expr): LoweredArgument => ({ type: 'real', sql: cast(sql, 'Nullable(Float64)') });
const part = (n: number): Expr => call('tupleElement', column('r'), integer(n));
const none = call('toUInt64', integer(0));
const combinedCount = call('plus', part(2), part(3));
const over = (body: Expr, rows: Expr): Expr => call('arraySum', call('arrayMap', lambda(['r'], body), rows));

/**
 * One side's most frequent values as (value, upper bound of its count, error of the bound), and its
 * number of rows.
 */
interface Side {
  readonly list: Expr;
  readonly total: Expr;
}

/** The values of a field on either side, as a tuple for `categoricalScores`. */
export function categorical(selection: Expr, field: LoweredArgument): Expr {
  // All fields need the same type, with or without a dictionary, because their tuples become one
  // array.
  const text = call('toString', call('ifNull', asString({ ...field, sql: equalBits(field) }), literal('null')));
  const sides = [selection, call('not', selection)].flatMap((condition) => [
    parametric('approx_top_kIf', [integer(COUNTED), integer(COUNTED)], text, condition),
    call('countIf', condition),
  ]);
  return call('tuple', ...sides);
}

/**
 * JSON text that describes how the values of a field are distributed among the selected and the
 * other rows. The total variation distance and the chi-squared test use every value with a precise
 * enough count; the remaining values count as a single value.
 */
export function categoricalScores(found: Expr): Expr {
  const of = (n: number): Expr => call('tupleElement', found, integer(n));
  const [selected, others]: readonly [Side, Side] = [
    { list: of(1), total: of(2) },
    { list: of(3), total: of(4) },
  ];
  return shareSubexpression(comparable(selected, others), (rows) => {
    // A value that occurs only once is necessarily on one side, so it says nothing about their
    // difference.
    const telling = call('arrayFilter', lambda(['r'], call('greater', combinedCount, literal(1))), rows);
    return shareSubexpression(call('arrayPushBack', telling, rest(telling, selected, others)), (all) =>
      scores(rows, all, selected, others),
    );
  });
}

/**
 * The counts of all other values on both sides; never negative, although upper bounds of counts may
 * add up to more than the rows of a side.
 */
function rest(rows: Expr, selected: Side, others: Side): Expr {
  const leftover = (n: number, { total }: Side): Expr =>
    call('greatest', call('minus', call('toFloat64', total), over(part(n), rows)), literal(0));
  return call('tuple', literal(''), leftover(2, selected), leftover(3, others));
}

function scores(rows: Expr, all: Expr, selected: Side, others: Side): Expr {
  const share = (n: number, { total }: Side): Expr => call('divide', part(n), call('greatest', total, integer(1)));
  const [p, q] = [share(2, selected), share(3, others)];
  const difference = call('abs', call('minus', p, q));
  const distance = call('divide', over(difference, all), literal(2));
  const ranked = call(
    'arraySlice',
    call('arrayReverseSort', lambda(['r'], call('tuple', difference, p, part(1))), rows),
    integer(1),
    integer(SHOWN),
  );
  return scoreBag({
    p_value: real(significance(all, selected, others)),
    effect_size: real(distance),
    delta_score: real(distance),
    median_relative_change: { type: 'real', constant: null, sql: nullLiteral },
    differences: { type: 'array', sql: arrayJson(call('arrayMap', lambda(['r'], entry(p, q)), ranked)) },
  });
}

/**
 * (value, count among the selected, count among the others) of the values on either list. Counts
 * are known within bounds. The counts that make both sides most similar are used, and values whose
 * shares may be equal count as the rest, unless their counts are exact.
 */
function comparable(selected: Side, others: Side): Expr {
  // A value that is missing from a full list is at most as frequent as the last one on it.
  const unlistedBound = ({ list }: Side): Expr =>
    call(
      'if',
      call('less', call('length', list), integer(COUNTED)),
      none,
      call('tupleElement', call('arrayElement', list, integer(-1)), integer(2)),
    );
  const boundOr = (bound: Expr, side: Side): Expr =>
    call('if', call('equals', bound, none), unlistedBound(side), bound);
  const [value, a, b, c, d] = [1, 2, 3, 4, 5].map(part) as [Expr, Expr, Expr, Expr, Expr];
  const [max, maxOthers] = [boundOr(b, selected), boundOr(d, others)];
  const scaleCount = (count: Expr, { total }: Side): Expr => call('multiply', call('toFloat64', count), total);
  const isMore = call('greater', scaleCount(a, others), scaleCount(maxOthers, selected));
  const isLess = call('less', scaleCount(max, others), scaleCount(c, selected));
  const isExact = call('and', call('equals', a, max), call('equals', c, maxOthers));
  const pair = call(
    'tuple',
    value,
    call('toFloat64', call('if', isLess, max, a)),
    call('toFloat64', call('if', isMore, maxOthers, c)),
    call('or', isMore, isLess, isExact),
  );
  const pairs = call('arrayMap', lambda(['r'], pair), joinSides(selected, others));
  return call(
    'arrayMap',
    lambda(['r'], call('tuple', part(1), part(2), part(3))),
    call('arrayFilter', lambda(['r'], part(4)), pairs),
  );
}

/**
 * (value, least and greatest count among the selected, least and greatest count among the others);
 * 0 for a value that is not on the side's list.
 */
function joinSides(selected: Side, others: Side): Expr {
  const at = (name: string, n: number): Expr => call('tupleElement', column(name), integer(n));
  const bounds = [call('minus', at('t', 2), at('t', 3)), at('t', 2)].map((bound) => call('toUInt64', bound));
  const of = (counts: readonly Expr[], { list }: Side): Expr =>
    call('arrayMap', lambda(['t'], call('tuple', at('t', 1), ...counts)), list);
  const all = call('arrayConcat', of([...bounds, none, none], selected), of([none, none, ...bounds], others));
  // Sorting makes the two entries of a value neighbors, which is faster than the engine's sumMap.
  // Beyond the ends of the list all counts are 0.
  return shareSubexpression(call('arraySort', lambda(['t'], at('t', 1)), all), (list) => {
    const isSame = (name: string): Expr => call('equals', at(name, 1), at('t', 1));
    const sums = [2, 3, 4, 5].map((n) => call('plus', at('t', n), call('multiply', at('next', n), isSame('next'))));
    const merged = call(
      'arrayMap',
      lambda(['t', 'next'], call('tuple', at('t', 1), ...sums)),
      list,
      call('arrayShiftLeft', list, integer(1)),
    );
    const isMerged = and(isSame('last'), call('greater', call('plus', at('last', 3), at('last', 5)), none));
    return call(
      'arrayFilter',
      lambda(['t', 'last'], call('not', isMerged)),
      merged,
      call('arrayShiftRight', list, integer(1)),
    );
  });
}

/**
 * The p value of the chi-squared test: each side is compared with the shares of both sides
 * together.
 */
function significance(rows: Expr, selected: Side, others: Side): Expr {
  const deviation = (n: number, { total }: Side): Expr => {
    const expected = call(
      'divide',
      call('multiply', combinedCount, total),
      call('greatest', call('plus', selected.total, others.total), integer(1)),
    );
    return call(
      'if',
      call('greater', expected, literal(0)),
      call('divide', call('pow', call('minus', part(n), expected), literal(2)), expected),
      literal(0),
    );
  };
  const chi = over(call('plus', deviation(2, selected), deviation(3, others)), rows);
  const freedom = call('minus', over(call('greater', combinedCount, literal(0)), rows), literal(1));
  return call('if', call('less', freedom, literal(1)), literal(1), tail(chi, call('greatest', freedom, literal(1))));
}

/** Probability of a greater chi-squared value, by the approximation of Wilson and Hilferty. */
function tail(chi: Expr, freedom: Expr): Expr {
  const ninth = call('divide', literal(2), call('multiply', literal(9), freedom));
  const z = call(
    'divide',
    call('minus', call('cbrt', call('divide', chi, freedom)), call('minus', literal(1), ninth)),
    call('sqrt', ninth),
  );
  return call('divide', call('erfc', call('divide', z, call('sqrt', literal(2)))), literal(2));
}

/** The entry of one value in `differences`. */
function entry(p: Expr, q: Expr): Expr {
  const ratio = call('if', call('greater', q, literal(0)), call('toString', call('divide', p, q)), literal('null'));
  const count = (n: number): Expr => call('toString', call('toUInt64', part(n)));
  return call(
    'concat',
    literal('{"value":'),
    call('toJSONString', part(1)),
    literal(',"frequency_ratio":'),
    ratio,
    literal(',"comparison_count":'),
    count(2),
    literal(',"baseline_count":'),
    count(3),
    literal('}'),
  );
}
