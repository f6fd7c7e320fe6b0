import {
  and,
  ascendingKey,
  call,
  column,
  type Expr,
  integer,
  item,
  lambda,
  literal,
  not,
  or,
  type Query,
  select,
  type Select,
  type Source,
} from '@millrace/sql';
import { columns } from '../model/columns.js';
import type { Range } from './plan.js';
import { isMarkOf, isPointOf, isRecord, milliseconds, type Selection, storedValue } from './statements.js';
import { absentBits, type WindowFunction, windowFunction, type Windows, windowValues } from './window-functions.js';

/**
 * The value of each window of each series, computed in the engine. The points of a series become
 * arrays in the order of their times, and a window a range of positions in them.
 */

/** Points, ends of series, and values that are no finite numbers. */
const kinds = { point: 0, end: 1, other: 2 } as const;
/** As stored; each time once; with the ends of the series where the function counts them. */
const [rawTs, rawVs] = [column('rawTs'), column('rawVs')];
const [onceTs, onceVs] = [column('onceTs'), column('onceVs')];
const [ts, es] = [column('ts'), column('es')];
const pairs = (body: Expr): Expr => lambda(['a', 'b'], body);
const before = call('arrayShiftRight', rawTs, integer(1));
const after = call('arrayShiftLeft', rawTs, integer(1));
const [a, b] = [column('a'), column('b')];

/**
 * For each series its ID, whether its windows need its points instead, and an array of values, with
 * the bits that end a series where there is none. Points instead: a series with values that are no
 * finite numbers, or an end at the time of a point; sums of very large values.
 * @param hasMarks whether such values and the ends of series are read
 */
export function windowStatement(
  selection: Selection,
  range: Range,
  windows: Windows,
  fn: WindowFunction,
  from: Source,
  hasMarks: boolean,
): Query {
  const raw = layer(pointArrays(selection, range, from, hasMarks), {
    irregular: isIrregular(fn, hasMarks),
    rises: not(exists(call('lessOrEquals', a, b), rawTs, before)),
    rawTs,
    rawVs,
    es,
  });
  const once = layer(raw, {
    // They may only repeat.
    irregular: call('or', column('irregular'), and(not(column('rises')), exists(call('less', a, b), rawTs, before))),
    onceTs: eachTimeOnce(rawTs),
    onceVs: eachTimeOnce(rawVs),
    es,
  });
  const irregular = column('irregular');
  const counted = layer(once, { irregular, ...(windowFunction(fn).countsEnds === true ? withEnds : withoutEnds) });
  const ranged = layer(counted, { irregular, ts, vs: column('vs'), ranges: rangesOf(windows) });
  return select({
    columns: [item(column('s')), item(call('toUInt8', irregular)), windowValues(fn, windows)],
    from: { kind: 'subquery', query: ranged },
    // In one thread, so that points stay in their order.
    settings: { max_threads: 1 },
  });
}

/** A select of the ID and computed arrays, over another one. */
const layer = (query: Query, arrays: Readonly<Record<string, Expr>>): Select =>
  select({
    columns: [item(column('s'), 's'), ...Object.entries(arrays).map(([name, expr]) => item(expr, name))],
    from: { kind: 'subquery', query },
  });

/** Arrays of times and values, in the order of the table: of equal times the last one counts. */
function pointArrays(selection: Selection, range: Range, from: Source, hasMarks: boolean): Query {
  const points = select({
    columns: [
      item(columns.series, 's'),
      item(milliseconds, 't'),
      item(call('assumeNotNull', columns.value), 'v'),
      item(integer(kinds.point), 'kind'),
    ],
    from,
    where: isPointOf(selection, range, from, storedValue),
    orderBy: [columns.series, columns.time, columns.position, columns.row].map(ascendingKey),
  });
  const marks = select({
    columns: [
      item(columns.series, 's'),
      item(milliseconds, 't'),
      item(literal(0), 'v'),
      item(call('if', isRecord('end'), integer(kinds.end), integer(kinds.other)), 'kind'),
    ],
    from,
    where: isMarkOf(selection, range, from),
  });
  const isKind = (kind: number): Expr => call('equals', column('kind'), integer(kind));
  const list = (name: string, kind: number): Expr => call('groupArrayIf', column(name), isKind(kind));
  return select({
    columns: [
      item(column('s'), 's'),
      item(list('t', kinds.point), 'rawTs'),
      item(list('v', kinds.point), 'rawVs'),
      item(list('t', kinds.end), 'es'),
      item(call('max', column('kind')), 'highest'),
    ],
    from: { kind: 'subquery', query: hasMarks ? { kind: 'unionAll', queries: [points, marks] } : points },
    groupBy: [column('s')],
  });
}

const exists = (body: Expr, ...arrays: readonly Expr[]): Expr => call('arrayExists', pairs(body), ...arrays);

/** Larger values add up exactly only in the order and the way of Prometheus. */
const largestSummand = 2 ** 53;

function isIrregular(fn: WindowFunction, hasMarks: boolean): Expr {
  const reasons: Expr[] = [];
  if (hasMarks) reasons.push(call('equals', column('highest'), integer(kinds.other)), call('hasAny', rawTs, es));
  if (hasMarks && windowFunction(fn).sums === true)
    reasons.push(call('arrayExists', lambda(['a'], call('greater', call('abs', a), literal(largestSummand))), rawVs));
  return or(...reasons);
}

/** Times that repeat are rare. */
const eachTimeOnce = (array: Expr): Expr =>
  call(
    'if',
    column('rises'),
    array,
    call('arrayFilter', lambda(['x', 'a', 'b'], call('notEquals', a, b)), array, rawTs, after),
  );

const withEndsOf = (array: Expr, marks: Expr): Expr => {
  const [both, times] = [call('arrayConcat', array, marks), call('arrayConcat', onceTs, es)];
  return call('if', call('empty', es), array, call('arraySort', lambda(['x', 't'], column('t')), both, times));
};
const withoutEnds = { ts: onceTs, vs: onceVs };
const withEnds = {
  ts: withEndsOf(onceTs, es),
  vs: withEndsOf(onceVs, call('arrayMap', lambda(['e'], call('reinterpretAsFloat64', absentBits)), es)),
};

/** First position and number of the points of each window, from the points before start and end. */
function rangesOf({ start, step, length, range }: Windows): Expr {
  const upTo = (offset: number): Expr => {
    // The first window that ends, or begins, at the time or later.
    const since = call('minus', column('t'), call('toInt64', integer(start + offset - step + 1)));
    const index = call('greatest', integer(0), call('intDiv', since, integer(step)));
    const counts = call(
      'arrayReduce',
      literal(`countResample(0, ${length}, 1)`),
      call('arrayMap', lambda(['t'], index), ts),
    );
    return call('arrayCumSum', counts);
  };
  const tuple = call('tuple', call('plus', a, integer(1)), call('toUInt64', call('minus', b, a)));
  return call('arrayMap', pairs(tuple), upTo(-range), upTo(0));
}
