/** The functions of the language, by the step they stand in. */

export interface FunctionRecord {
  readonly doc: string;
  /** Number of numeric arguments. */
  readonly args: number;
}

const of = (doc: string, args = 0): FunctionRecord => ({ doc, args });

const tests = {
  lt: 'less than',
  lte: 'at most',
  gt: 'greater than',
  gte: 'at least',
  eq: 'equal to',
  neq: 'not equal to',
};
type Test = keyof typeof tests;
const testNames = Object.keys(tests) as readonly Test[];

const each = <P extends string>(
  prefix: P,
  doc: (test: string) => string,
): Readonly<Record<`${P}::${Test}`, FunctionRecord>> =>
  Object.fromEntries(testNames.map((name) => [`${prefix}::${name}`, of(doc(tests[name]), 1)])) as Readonly<
    Record<`${P}::${Test}`, FunctionRecord>
  >;

export const mapFunctions = {
  '+': of('Adds a number to each value.', 1),
  '-': of('Subtracts a number from each value.', 1),
  '*': of('Multiplies each value by a number.', 1),
  '/': of('Divides each value by a number; division by zero is a gap.', 1),
  abs: of('Absolute values.'),
  min: of('The smaller one of each value and a number.', 1),
  max: of('The larger one of each value and a number.', 1),
  rate: of('Increase per second since the previous point. A counter that falls was reset.'),
  increase: of('Increase since the previous point. A counter that falls was reset.'),
  'fill::prev': of('Fills gaps with the previous value.'),
  'fill::const': of('Fills gaps with a number.', 1),
  'interpolate::linear': of('Fills gaps on a line between their neighbors.'),
  ...each('filter', (test) => `Removes values that are not ${test} a number.`),
  ...each('is', (test) => `1 where a value is ${test} a number, otherwise 0.`),
} as const satisfies Readonly<Record<string, FunctionRecord>>;

export const alignFunctions = {
  avg: of('Mean of the values of a window.'),
  min: of('Smallest value of a window.'),
  max: of('Largest value of a window.'),
  sum: of('Sum of the values of a window.'),
  count: of('Number of values of a window.'),
  last: of('Last value of a window.'),
  'prom::rate': of('Increase of a counter per second over a window, with resets.'),
} as const satisfies Readonly<Record<string, FunctionRecord>>;

export const groupFunctions = {
  avg: of('Mean of the series.'),
  min: of('Smallest value of the series.'),
  max: of('Largest value of the series.'),
  sum: of('Sum of the series.'),
  count: of('Number of series that have a value.'),
} as const satisfies Readonly<Record<string, FunctionRecord>>;

export const bucketFunctions = {
  histogram: of('Quantiles and statistics of the values themselves.'),
  interpolate_delta_histogram: of('Quantiles of a histogram whose points are deltas.'),
  interpolate_cumulative_histogram: of('Quantiles of a histogram whose points are cumulative; rate or increase first.'),
} as const satisfies Readonly<Record<string, FunctionRecord>>;

export const computeFunctions = {
  '+': of('Sum of both series.'),
  '-': of('Difference of both series.'),
  '*': of('Product of both series.'),
  '/': of('Quotient of both series; division by zero is a gap.'),
  min: of('The smaller one of both values.'),
  max: of('The larger one of both values.'),
  avg: of('Mean of both values.'),
} as const satisfies Readonly<Record<string, FunctionRecord>>;

export type MapFunction = keyof typeof mapFunctions;
export type AlignFunction = keyof typeof alignFunctions;
export type GroupFunction = keyof typeof groupFunctions;
export type BucketFunction = keyof typeof bucketFunctions;
export type ComputeFunction = keyof typeof computeFunctions;

/** Names that queries use for functions of other names. */
export const aliases: Readonly<Record<string, string>> = {
  'is::le': 'is::lte',
  'is::ge': 'is::gte',
  'is::ne': 'is::neq',
  'filter::le': 'filter::lte',
  'filter::ge': 'filter::gte',
  'filter::ne': 'filter::neq',
};

/** Results of `bucket` that are not quantiles. */
export const bucketWords = ['count', 'avg', 'sum', 'min', 'max'] as const;
export type BucketWord = (typeof bucketWords)[number];
