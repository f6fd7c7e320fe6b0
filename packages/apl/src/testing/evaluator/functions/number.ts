import type { Plain } from '../functions.js';
import { truncate, wrap } from '../values.js';
import type { Type, Value } from '../values.js';

const floorTo = (value: bigint, size: bigint): bigint | null =>
  size <= 0n ? null : value - (((value % size) + size) % size);

const bins = (value: Type, size: Type): Plain => ({ params: [value, size], returns: value, of: floorTo });

const whole = (round: (value: number) => number): readonly Plain[] => [
  { params: ['long'], returns: 'long', of: (n: bigint) => n },
  { params: ['real'], returns: 'long', of: (n: number) => truncate(round(n)) },
];

const real = (of: (n: number) => Value): readonly Plain[] => [{ params: ['real'], returns: 'real', of }];

const positive =
  (of: (n: number) => number) =>
  (n: number): Value =>
    n > 0 ? of(n) : null;

const bits = (of: (a: bigint, b: bigint) => Value): readonly Plain[] => [
  { params: ['long', 'long'], returns: 'long', of },
];

/** The absolute value; null for the one integer whose opposite does not fit 64 bits. */
const size = (n: bigint): bigint | null => (n < 0n ? (wrap(-n) < 0n ? null : -n) : n);

const awayFromZero = (n: number): number => Math.sign(n) * Math.floor(Math.abs(n) + 0.49999999999999994) + 0;

/** Functions of numbers. */
export const numberFunctions: Readonly<Record<string, readonly Plain[]>> = {
  abs: [
    { params: ['long'], returns: 'long', of: size },
    { params: ['real'], returns: 'real', of: (n: number) => Math.abs(n) },
    { params: ['timespan'], returns: 'timespan', of: size },
  ],
  floor: whole(Math.floor),
  ceiling: whole(Math.ceil),
  round: [
    { params: ['real'], returns: 'real', of: awayFromZero },
    {
      params: ['real', 'long'],
      returns: 'real',
      of: (n: number, digits: bigint) => {
        const power = Number(`1e${digits < 0n ? -digits : digits}`);
        return digits < 0n ? awayFromZero(n / power) * power : awayFromZero(n * power) / power;
      },
    },
  ],
  bin: [
    bins('long', 'long'),
    bins('datetime', 'timespan'),
    bins('timespan', 'timespan'),
    bins('long', 'timespan'),
    { params: ['real', 'real'], returns: 'real', of: (n: number, size: number) => Math.floor(n / size) * size },
  ],
  sign: [{ params: ['real'], returns: 'long', of: (n: number) => BigInt(Math.sign(n) || 0) }],
  sqrt: real(Math.sqrt),
  exp: real(Math.exp),
  exp10: real((n) => 10 ** n),
  log: real(positive(Math.log)),
  log2: real(positive(Math.log2)),
  log10: real(positive(Math.log10)),
  atan: real(Math.atan),
  pow: [{ params: ['real', 'real'], returns: 'real', of: (base: number, exponent: number) => base ** exponent }],
  isinf: [{ params: ['real'], returns: 'bool', of: (n: number) => Math.abs(n) === Infinity }],
  binary_and: bits((a, b) => a & b),
  binary_or: bits((a, b) => a | b),
  binary_xor: bits((a, b) => a ^ b),
  binary_shift_left: bits((a, b) => (b < 0n ? null : wrap(a << (b % 64n)))),
  binary_shift_right: bits((a, b) => (b < 0n ? null : a >> (b % 64n))),
  binary_not: [{ params: ['long'], returns: 'long', of: (a: bigint) => ~a }],
  bitset_count_ones: [
    {
      params: ['long'],
      returns: 'long',
      of: (a: bigint) => BigInt([...BigInt.asUintN(64, a).toString(2)].filter((digit) => digit === '1').length),
    },
  ],
  exp2: real((n) => 2 ** n),
  isnan: [{ params: ['real'], returns: 'bool', of: (n: number) => Number.isNaN(n) }],
  isfinite: [{ params: ['real'], returns: 'bool', of: (n: number) => Number.isFinite(n) }],
};
