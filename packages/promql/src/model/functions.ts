import type { ValueType } from './types.js';

/** The functions of the language: their arguments, results and meaning. */

interface FunctionRecord {
  readonly args: readonly ValueType[];
  /** How many of the last arguments may be left out. */
  readonly optional?: number;
  /** The last argument may be repeated. */
  readonly variadic?: true;
  readonly returns: ValueType;
  readonly doc: string;
}

const over = (doc: string, ...before: readonly ValueType[]) =>
  ({ args: [...before, 'matrix'], returns: 'vector', doc }) as const satisfies FunctionRecord;
const each = (doc: string, ...after: readonly ValueType[]) =>
  ({ args: ['vector', ...after], returns: 'vector', doc }) as const satisfies FunctionRecord;
const date = (doc: string) =>
  ({ args: ['vector'], optional: 1, returns: 'vector', doc }) as const satisfies FunctionRecord;

export const functions = {
  rate: over('Increase of a counter per second, with resets.'),
  increase: over('Increase of a counter, with resets.'),
  irate: over('Increase per second between the last two points.'),
  delta: over('Difference between the ends of the range.'),
  idelta: over('Difference between the last two points.'),
  deriv: over('Slope of the regression line, per second.'),
  predict_linear: {
    args: ['matrix', 'scalar'],
    returns: 'vector',
    doc: 'Value of the regression line so many seconds later.',
  },
  changes: over('How often the value changed.'),
  resets: over('How often a counter was reset.'),

  avg_over_time: over('Mean of the points.'),
  min_over_time: over('Smallest point.'),
  max_over_time: over('Largest point.'),
  sum_over_time: over('Sum of the points.'),
  count_over_time: over('Number of points.'),
  last_over_time: over('Last point.'),
  first_over_time: over('First point.'),
  present_over_time: over('1 if there is a point.'),
  stddev_over_time: over('Population standard deviation of the points.'),
  stdvar_over_time: over('Population variance of the points.'),
  mad_over_time: over('Median of the distances from the median.'),
  quantile_over_time: over('A quantile of the points, between 0 and 1.', 'scalar'),
  absent_over_time: over('1 if there are no points.'),

  histogram_quantile: {
    args: ['scalar', 'vector'],
    returns: 'vector',
    doc: 'A quantile of classic histograms, whose series have the label `le`.',
  },

  abs: each('Absolute values.'),
  ceil: each('Rounds up.'),
  floor: each('Rounds down.'),
  round: { args: ['vector', 'scalar'], optional: 1, returns: 'vector', doc: 'Rounds to multiples; halves up.' },
  sgn: each('Sign: -1, 0 or 1.'),
  sqrt: each('Square roots.'),
  exp: each('Powers of e.'),
  ln: each('Natural logarithms.'),
  log2: each('Logarithms to base 2.'),
  log10: each('Logarithms to base 10.'),
  sin: each('Sine.'),
  cos: each('Cosine.'),
  tan: each('Tangent.'),
  asin: each('Inverse sine.'),
  acos: each('Inverse cosine.'),
  atan: each('Inverse tangent.'),
  sinh: each('Hyperbolic sine.'),
  cosh: each('Hyperbolic cosine.'),
  tanh: each('Hyperbolic tangent.'),
  asinh: each('Inverse hyperbolic sine.'),
  acosh: each('Inverse hyperbolic cosine.'),
  atanh: each('Inverse hyperbolic tangent.'),
  deg: each('Radians to degrees.'),
  rad: each('Degrees to radians.'),
  clamp: each('Limits values to an interval.', 'scalar', 'scalar'),
  clamp_min: each('Raises smaller values to a minimum.', 'scalar'),
  clamp_max: each('Lowers larger values to a maximum.', 'scalar'),

  timestamp: each('Times of the points, seconds since the epoch.'),
  minute: date('Minute of the hour, UTC.'),
  hour: date('Hour of the day, UTC.'),
  day_of_week: date('Day of the week; Sunday is 0.'),
  day_of_month: date('Day of the month.'),
  day_of_year: date('Day of the year.'),
  days_in_month: date('Number of days in the month.'),
  month: date('Month of the year.'),
  year: date('Year.'),
  time: { args: [], returns: 'scalar', doc: 'Time of the evaluation, seconds since the epoch.' },
  pi: { args: [], returns: 'scalar', doc: 'π.' },

  vector: { args: ['scalar'], returns: 'vector', doc: 'A scalar as a vector without labels.' },
  scalar: { args: ['vector'], returns: 'scalar', doc: 'The value of the only series; NaN if there are others.' },
  absent: each('1 if there are no series.'),
  sort: each('Smallest value first.'),
  sort_desc: each('Largest value first.'),
  label_replace: each('Sets a label from another one by a regular expression.', 'string', 'string', 'string', 'string'),
  label_join: {
    args: ['vector', 'string', 'string', 'string'],
    optional: 1,
    variadic: true,
    returns: 'vector',
    doc: 'Sets a label to the values of others.',
  },
} as const satisfies Readonly<Record<string, FunctionRecord>>;

export type FunctionName = keyof typeof functions;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name);

export const functionRecord = (name: FunctionName): FunctionRecord => functions[name];
