import type { Type } from '../evaluator/values.js';
import type { Choices } from './choices.js';

export const types: readonly Exclude<Type, 'mixed'>[] = [
  'long',
  'string',
  'real',
  'bool',
  'datetime',
  'timespan',
  'dynamic',
];

/** Literals of each type as a query writes them, simple ones first. */
const literals: Readonly<Record<Exclude<Type, 'mixed'>, readonly string[]>> = {
  bool: ['true', 'false'],
  long: ['0', '1', '2', '3', '-1', '7', '-12', '200', '404', '1500', '1000000007'],
  real: ['0.0', '0.5', '1.0', '-2.25', '3.75', '1.5', '2.5', '-0.5', '1000.0', '0.1', '-0.0'],
  string: [
    '""',
    '"a"',
    '"b"',
    '"A"',
    '"error"',
    '"GET /api/v1"',
    '"foo_bar-baz"',
    '"ERROR: disk full"',
    '"äöü Straße"',
    '"ÄÖÜ"',
    '"aé😀b"',
    '"日本語 error"',
    '" a b "',
    '"line\\nbreak"',
    '"1"',
    '"-42"',
    '"1.5"',
    '"true"',
    '"k=v;x=y"',
    '"a,b,,c"',
    '"2024-02-29T12:30:00Z"',
    '"q\\"uote\\\\"',
    '"it\'s 100%"',
    '"[1]"',
  ],
  datetime: [
    'datetime(2024-06-15T11:30:00Z)',
    'datetime(2024-02-29)',
    'datetime(2023-12-31T23:59:59.999999999Z)',
    'datetime(1969-12-31T23:00:00Z)',
    'datetime(2024-03-31T10:20:30.5Z)',
    'datetime(1970-01-01)',
  ],
  timespan: ['0s', '1s', '90m', '250ms', '1h', '-1h', '1d', '36h', '1500us', '7d', '10ns'],
  dynamic: [
    'dynamic(1)',
    'dynamic("a")',
    'dynamic([])',
    'dynamic([1, 2, 3])',
    'dynamic(["a", "b", null])',
    'dynamic({"k": 1, "s": "a", "l": [1, "x"]})',
    'dynamic({"k": {"s": "b"}, "n": null})',
    'dynamic(true)',
    'dynamic(2.5)',
    'dynamic([[1], {"k": -3}])',
    'dynamic("")',
    'dynamic({"s": "ä\\"😀", "k": 0.5})',
  ],
};

/**
 * Integers near the limits of 64 bits or of exact reals; as reals their sums would depend on the
 * order.
 */
const extremes = ['9223372036854775807', '-9223372036854775807', '9007199254740993', '4611686018427387904'];

export const cell = (choices: Choices, type: Type): string =>
  choices.oneIn(6) ? nullOf(type) : choices.of(literals[type === 'mixed' ? 'string' : type]);

export const nullOf = (type: Type): string => `${type}(null)`;

export const literal = (choices: Choices, type: Type): string =>
  choices.of(literals[type === 'mixed' ? 'string' : type]);

export const extremeCell = (choices: Choices): string =>
  choices.oneIn(3) ? choices.of(extremes) : cell(choices, 'long');
