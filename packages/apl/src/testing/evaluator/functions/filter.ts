import type { Plain } from '../functions.js';
import { asDynamic, isList } from '../values.js';
import type { Value } from '../values.js';
import { elementNumber } from './series.js';

const real = (value: number | null): Value => asDynamic(value, 'real');
const numbersOf = (series: readonly Value[]): readonly (number | null)[] => series.map(elementNumber);
const zeros = (series: readonly Value[]): readonly number[] => numbersOf(series).map((n) => n ?? 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const ofTwo = (of: (a: readonly Value[], b: readonly Value[]) => Value): Plain => ({
  params: ['dynamic', 'dynamic'],
  returns: 'dynamic',
  of: (a: Value, b: Value) => (isList(a) && isList(b) ? of(a, b) : null),
});
const realOfTwo = (of: (a: readonly Value[], b: readonly Value[]) => number | null): readonly Plain[] => [
  {
    params: ['dynamic', 'dynamic'],
    returns: 'real',
    of: (a: Value, b: Value) => {
      const result = isList(a) && isList(b) && a.length === b.length ? of(a, b) : null;
      return result !== null && Number.isFinite(result) ? result : null;
    },
  },
];

function filterSeries(series: readonly Value[], given: readonly Value[], normalize?: boolean, center = false): Value {
  const coefficients = zeros(given);
  const divides = normalize === undefined ? coefficients.every((c) => c >= 0) : normalize;
  const divisor = divides && sum(coefficients) !== 0 ? sum(coefficients) : 1;
  const ahead = center ? Math.floor(coefficients.length / 2) : 0;
  const numbers = zeros(series);
  return numbers.map((_, i) => real(sum(coefficients.map((c, k) => (c / divisor) * (numbers[i + ahead - k] ?? 0)))));
}

function recursive(series: readonly Value[], above: readonly Value[], below: readonly Value[]): Value {
  const [first = 0, ...earlier] = zeros(below);
  if (first === 0) return null;
  const [numbers, direct] = [zeros(series), zeros(above)];
  const results: number[] = [];
  for (const i of numbers.keys()) {
    const taken = sum(direct.map((c, k) => c * (numbers[i - k] ?? 0)));
    results.push((taken - sum(earlier.map((c, k) => c * (results[i - 1 - k] ?? 0)))) / first);
  }
  return results.map(real);
}

/** The discrete Fourier transform by its definition. */
function transform(re: readonly number[], im: readonly number[], sign: 1 | -1, divisor: number): Value {
  const length = re.length;
  const sumTerms = (k: number, part: 're' | 'im'): Value => {
    const terms = re.map((x, n) => {
      const [angle, y] = [(sign * 2 * Math.PI * ((k * n) % length)) / length, im[n] ?? 0];
      return part === 're' ? x * Math.cos(angle) - y * Math.sin(angle) : x * Math.sin(angle) + y * Math.cos(angle);
    });
    return real(sum(terms) / divisor);
  };
  return [re.map((_, k) => sumTerms(k, 're')), re.map((_, k) => sumTerms(k, 'im'))];
}

const fourier = (sign: 1 | -1): readonly Plain[] => {
  const divisor = (series: readonly Value[]): number => (sign === 1 ? series.length : 1);
  return [
    {
      params: ['dynamic'],
      returns: 'dynamic',
      of: (series: Value) => (isList(series) ? transform(zeros(series), [], sign, divisor(series)) : null),
    },
  ];
};

function correlation(a: readonly Value[], b: readonly Value[]): number | null {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const both = left.flatMap((x, i) => (x === null || right[i] === null ? [] : [[x, right[i]!] as const]));
  const [meanX, meanY] = [sum(both.map(([x]) => x)) / both.length, sum(both.map(([, y]) => y)) / both.length];
  const of = (product: (dx: number, dy: number) => number): number =>
    sum(both.map(([x, y]) => product(x - meanX, y - meanY)));
  const spread = Math.sqrt(of((dx) => dx * dx)) * Math.sqrt(of((_, dy) => dy * dy));
  return spread === 0 ? null : of((dx, dy) => dx * dy) / spread;
}

function cosine(a: readonly Value[], b: readonly Value[]): number | null {
  const [x, y] = [zeros(a), zeros(b)];
  const lengths = Math.sqrt(sum(x.map((n) => n * n))) * Math.sqrt(sum(y.map((n) => n * n)));
  return lengths === 0 ? null : sum(x.map((n, i) => n * y[i]!)) / lengths;
}

function statistics(series: readonly Value[]): readonly Value[] {
  const numbers = numbersOf(series);
  const some = numbers.filter((n) => n !== null);
  if (some.length === 0) return [null, null, null, null, null, null, null];
  const [min, max, mean] = [Math.min(...some), Math.max(...some), sum(some) / some.length];
  const variance = some.length < 2 ? null : sum(some.map((n) => (n - mean) ** 2)) / (some.length - 1);
  const deviation = variance === null ? null : Math.sqrt(variance);
  return [min, numbers.indexOf(min), max, numbers.indexOf(max), mean, variance, deviation].map(real);
}

const defineStatistics = (of: (values: readonly Value[]) => Value): readonly Plain[] => [
  { params: ['dynamic'], returns: 'dynamic', of: (series: Value) => (isList(series) ? of(statistics(series)) : null) },
];
const statisticNames = ['min', 'min_idx', 'max', 'max_idx', 'avg', 'variance', 'stdev'];

/** Nulls on the line between their known neighbors; beyond these the nearest number. */
function interpolate(series: readonly Value[]): Value {
  const numbers = numbersOf(series);
  return numbers.map((n, i): Value => {
    const before = numbers.findLastIndex((other, k) => k <= i && other !== null);
    const after = numbers.findIndex((other, k) => k >= i && other !== null);
    if (n !== null || (before < 0 && after < 0)) return real(n);
    if (before < 0 || after < 0) return real(numbers[Math.max(before, after)]!);
    const [x0, x1] = [numbers[before]!, numbers[after]!];
    return real(x0 + ((x1 - x0) * (i - before)) / (after - before));
  });
}

/** Functions that filter, transform and measure series. */
export const filterFunctions: Readonly<Record<string, readonly Plain[]>> = {
  series_fir: [
    {
      params: ['dynamic', 'dynamic', 'bool', 'bool'],
      optional: 2,
      returns: 'dynamic',
      of: (series: Value, coefficients: Value, normalize?: boolean, center?: boolean) =>
        isList(series) && isList(coefficients) ? filterSeries(series, coefficients, normalize, center) : null,
    },
  ],
  series_iir: [
    {
      params: ['dynamic', 'dynamic', 'dynamic'],
      returns: 'dynamic',
      of: (series: Value, above: Value, below: Value) =>
        isList(series) && isList(above) && isList(below) ? recursive(series, above, below) : null,
    },
  ],
  series_fft: fourier(-1),
  series_ifft: fourier(1),
  series_pearson_correlation: realOfTwo(correlation),
  series_cosine_similarity: realOfTwo(cosine),
  series_stats: defineStatistics((values) => values),
  series_stats_dynamic: defineStatistics((values) =>
    Object.fromEntries(statisticNames.map((name, i) => [name, values[i]!])),
  ),
  series_fill_linear: [
    {
      params: ['dynamic'],
      returns: 'dynamic',
      of: (series: Value) => (isList(series) ? interpolate(series) : null),
    },
  ],
  series_pow: [
    {
      params: ['dynamic', 'real'],
      returns: 'dynamic',
      of: (series: Value, power: number) =>
        isList(series) ? numbersOf(series).map((n) => (n === null ? null : real(n ** power))) : null,
    },
    ofTwo((a, b) => {
      const [x, y] = [numbersOf(a), numbersOf(b)];
      return Array.from({ length: Math.max(a.length, b.length) }, (_, i): Value => {
        const [base, power] = [x[i] ?? null, y[i] ?? null];
        return base === null || power === null ? null : real(base ** power);
      });
    }),
  ],
};
