import type { Plain } from '../functions.js';
import type { Value } from '../values.js';

const real = (of: (n: number) => Value): readonly Plain[] => [{ params: ['real'], returns: 'real', of }];

const unit =
  (of: (n: number) => number) =>
  (n: number): Value =>
    Math.abs(n) <= 1 ? of(n) : null;

const isPole = (n: number): boolean => n <= 0 && Number.isInteger(n);

/** Lanczos' coefficients for g = 7. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the absolute value of the gamma function. */
function logGamma(n: number): number {
  if (n < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * n))) - logGamma(1 - n);
  const x = n - 1;
  const series = lanczos.reduce((sum, coefficient, i) => sum + (i === 0 ? coefficient : coefficient / (x + i)), 0);
  const base = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(base) - base + Math.log(series);
}

/** Negative between 0 and -1, positive between -1 and -2, and so on. Exact for whole numbers. */
function gamma(n: number): number {
  if (Number.isInteger(n) && n < 171) return Array.from({ length: n - 1 }, (_, i) => i + 1).reduce((a, b) => a * b, 1);
  return (n < 0 && Math.floor(n) % 2 !== 0 ? -1 : 1) * Math.exp(logGamma(n));
}

/** Functions of angles. */
export const angleFunctions: Readonly<Record<string, readonly Plain[]>> = {
  pi: [{ params: [], returns: 'real', of: () => Math.PI }],
  sin: real(Math.sin),
  cos: real(Math.cos),
  tan: real(Math.tan),
  cot: real((n) => 1 / Math.tan(n)),
  asin: real(unit(Math.asin)),
  acos: real(unit(Math.acos)),
  atan2: [{ params: ['real', 'real'], returns: 'real', of: (y: number, x: number) => Math.atan2(y, x) }],
  degrees: real((n) => (n * 180) / Math.PI),
  radians: real((n) => (n * Math.PI) / 180),
  gamma: real((n) => (isPole(n) ? null : gamma(n))),
  loggamma: real((n) => (isPole(n) ? null : logGamma(n))),
};
