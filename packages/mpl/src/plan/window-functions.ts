import { call, column, type Expr, integer, item, lambda, literal, type SelectItem } from '@millrace/sql';
import { staleBits } from '../model/stale.js';
import type { Grid } from '../run/series.js';

/**
 * Functions of windows that the engine computes, over arrays of each series: `ts` and `vs`, its
 * times and values, and `ranges`, the first position and the number of points of each window.
 */

/** Windows that end at the times of a grid. Their start is exclusive; milliseconds. */
export interface Windows extends Grid {
  readonly range: number;
}

interface WindowFunctionRecord {
  /** Windows with fewer points have no value. */
  readonly least: 1 | 2;
  /** Arrays with an element for each window; `value` names them. */
  readonly arrays: Readonly<Record<string, Expr>>;
  readonly value: (windows: Windows) => Expr;
  /** Other windows without a value. */
  readonly lacks?: Expr;
  /** The marks that end a series count as points without a value. */
  readonly countsEnds?: true;
  /** The value is a sum: for very large values only as exact as the engine's. */
  readonly sums?: true;
}

const plus = (...parts: readonly Expr[]): Expr => parts.reduce((sum, part) => call('plus', sum, part));
const minus = (a: Expr, b: Expr): Expr => call('minus', a, b);
const times = (a: Expr, b: Expr): Expr => call('multiply', a, b);
const over = (a: Expr, b: Expr): Expr => call('divide', a, b);
const less = (a: Expr, b: Expr): Expr => call('less', a, b);
const either = (condition: Expr, yes: Expr, no: Expr): Expr => call('if', condition, yes, no);

const ofRanges = (aggregate: string, array: Expr, ranges: Expr = column('ranges')): Expr =>
  call('arrayReduceInRanges', literal(aggregate), ranges, array);
const firstOf = (array: Expr): Expr => ofRanges('any', array);
const lastOf = (array: Expr): Expr => ofRanges('anyLast', array);

const [ts, vs] = [column('ts'), column('vs')];
/** An element from each value and the one before it, which is 0 for the first. */
const ofPairs = (body: Expr): Expr =>
  call('arrayMap', lambda(['v', 'p'], body), vs, call('arrayShiftRight', vs, integer(1)));
const [value, previous] = [column('v'), column('p')];
const falls = less(value, previous);
/** The sum of the values lost by resets up to each point. */
const loss = call('arrayCumSum', ofPairs(either(falls, previous, literal(0))));
const countUpTo = (holds: Expr): Expr => call('arrayCumSum', ofPairs(holds));

const seconds = (milliseconds: Expr): Expr => over(milliseconds, integer(1000));
const ends = column('end');
const points = column('n');
const edges = { t0: firstOf(ts), t1: lastOf(ts), v0: firstOf(vs), v1: lastOf(vs) };
const [t0, t1, v0, v1] = [column('t0'), column('t1'), column('v0'), column('v1')];

/** The increase of the whole window, as `rates.ts` of the package `promql` extrapolates it. */
function difference(isCounter: boolean, perSecond: boolean): WindowFunctionRecord {
  const change = minus(v1, v0);
  const increase = isCounter ? plus(change, minus(column('lost1'), column('lost0'))) : change;
  const covered = seconds(minus(t1, t0));
  const interval = over(covered, minus(points, integer(1)));
  const reach = (distance: Expr): Expr =>
    either(call('greaterOrEquals', distance, times(interval, literal(1.1))), over(interval, integer(2)), distance);
  return {
    least: 2,
    arrays: { ...edges, ...(isCounter && { lost0: firstOf(loss), lost1: lastOf(loss) }) },
    value: ({ range }) => {
      const toStart = reach(seconds(minus(t0, minus(ends, integer(range)))));
      const fromZero = times(covered, over(v0, increase));
      const grows = call('and', call('greater', increase, integer(0)), call('greaterOrEquals', v0, integer(0)));
      const before = isCounter ? either(grows, call('least', toStart, fromZero), toStart) : toStart;
      const after = reach(seconds(minus(ends, t1)));
      const whole = times(increase, over(plus(covered, before, after), covered));
      return perSecond ? over(whole, literal(range / 1000)) : whole;
    },
  };
}

const [from, count] = [1, 2].map((i) => call('tupleElement', column('r'), integer(i))) as [Expr, Expr];
const oneLess = call('toUInt64', call('greatest', integer(0), minus(count, integer(1))));
const mapRanges = (body: Expr): Expr => call('arrayMap', lambda(['r'], body), column('ranges'));
const withoutLast = mapRanges(call('tuple', from, oneLess));
/** Without the first point of the series. */
const withBefore = mapRanges(
  either(call('equals', from, integer(1)), call('tuple', integer(2), oneLess), call('tuple', from, count)),
);

/** Between the last two points of a window. */
function lastDifference(isRate: boolean): WindowFunctionRecord {
  const change = minus(v1, v0);
  return {
    least: 2,
    arrays: {
      v0: ofRanges('anyLast', vs, withoutLast),
      v1: lastOf(vs),
      ...(isRate && { t0: ofRanges('anyLast', ts, withoutLast), t1: lastOf(ts) }),
    },
    value: () => (isRate ? over(either(less(v1, v0), v1, change), seconds(minus(t1, t0))) : change),
  };
}

const simple = (array: Expr): WindowFunctionRecord => ({ least: 1, arrays: { x: array }, value: () => column('x') });
const constant = (of: Expr): WindowFunctionRecord => ({ least: 1, arrays: {}, value: () => of });
const countedBetween = (holds: Expr): WindowFunctionRecord => ({
  least: 1,
  arrays: { c0: firstOf(countUpTo(holds)), c1: lastOf(countUpTo(holds)) },
  value: () => minus(column('c1'), column('c0')),
});
const sum = ofRanges('sumKahan', vs);

/** The increase of a counter since the point before the window. The first point has none before. */
const gain: WindowFunctionRecord = {
  least: 1,
  arrays: {
    x: ofRanges('sum', ofPairs(either(falls, value, minus(value, previous))), withBefore),
    pairs: call('arrayMap', lambda(['r'], count), withBefore),
  },
  value: ({ range }) => over(column('x'), literal(range / 1000)),
  lacks: call('equals', column('pairs'), integer(0)),
};

const windowFunctions = {
  rate: difference(true, true),
  increase: difference(true, false),
  delta: difference(false, false),
  irate: lastDifference(true),
  idelta: lastDifference(false),
  changes: countedBetween(call('notEquals', value, previous)),
  resets: countedBetween(falls),
  avg: { least: 1, arrays: { x: sum }, value: () => over(column('x'), points), sums: true },
  sum: { ...simple(sum), sums: true },
  min: simple(ofRanges('min', vs)),
  max: simple(ofRanges('max', vs)),
  count: constant(points),
  first: simple(firstOf(vs)),
  last: simple(lastOf(vs)),
  present: constant(integer(1)),
  /** Of an instant selector, whose windows are as long as it looks back. */
  latest: { ...simple(lastOf(vs)), countsEnds: true },
  /** Per second since the last point before the window: of counters, and of increases. */
  gain,
  deltaGain: {
    least: 1,
    arrays: { x: sum },
    value: ({ range }) => over(column('x'), literal(range / 1000)),
    sums: true,
  },
} as const satisfies Readonly<Record<string, WindowFunctionRecord>>;

export type WindowFunction = keyof typeof windowFunctions;

export const windowFunction = (name: WindowFunction): WindowFunctionRecord => windowFunctions[name];

/** Where a window has no value; as in stored points, no other NaN has these bits. */
export const absentBits: Expr = call('toUInt64', literal(String(staleBits)));

/** The value of each window of a series, as an array. */
export function windowValues(name: WindowFunction, windows: Windows): SelectItem {
  const { least, arrays, value: valueOf, lacks } = windowFunction(name);
  const { start, step, length } = windows;
  const named = {
    n: call('tupleElement', column('ranges'), integer(2)),
    end: call(
      'arrayMap',
      lambda(['i'], plus(integer(start), times(column('i'), integer(step)))),
      call('range', call('toInt64', integer(length))),
    ),
    ...arrays,
  };
  const tooFew = less(points, integer(least));
  const bits = call('reinterpretAsUInt64', call('toFloat64', valueOf(windows)));
  const isAbsent = lacks === undefined ? tooFew : call('or', tooFew, lacks);
  const body = call('reinterpretAsFloat64', either(isAbsent, absentBits, bits));
  return item(call('arrayMap', lambda(Object.keys(named), body), ...Object.values(named)));
}
