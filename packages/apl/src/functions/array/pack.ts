import { asString, packArray, packBag } from '../../lower/values.js';
import { param } from '../define.js';
import type { Example, FunctionRecord, Lowered, Overload } from '../define.js';

type Check = (args: readonly Lowered[]) => ReturnType<NonNullable<Overload['check']>>;

/** Keys and values take turns. */
const checkPairs =
  (name: string): Check =>
  (args) =>
    args.length % 2 === 0
      ? undefined
      : { argument: args.length - 1, message: `${name} takes pairs of key and value: the last key has no value` };

/** Keys known while compiling. */
const checkConstantKeys: Check = (args) => {
  const wrong = args.findIndex(({ constant }, i) => i % 2 === 0 && typeof constant !== 'string');
  return wrong < 0 ? undefined : { argument: wrong, message: 'keys of pack_dictionary must be constant texts' };
};

function pairs(args: readonly Lowered[]): Parameters<typeof packBag>[0] {
  return args.flatMap((key, i) => {
    const value = args[i + 1];
    if (i % 2 !== 0 || value === undefined) return [];
    return [{ key: key.type === 'string' ? key : { type: 'string' as const, sql: asString(key) }, value }];
  });
}

const bag = (
  name: string,
  summary: string,
  check: Check,
  examples: readonly Example[],
  more: Partial<FunctionRecord> = {},
): FunctionRecord => ({
  name,
  group: 'array',
  summary,
  nulls: 'handled',
  overloads: [
    { params: [], rest: param('keyOrValue', 'any'), returns: 'bag', check, lower: (args) => packBag(pairs(args)) },
  ],
  examples,
  ...more,
});

/** Functions that make arrays and objects of values. */
export const functions: readonly FunctionRecord[] = [
  {
    name: 'pack_array',
    group: 'array',
    summary: 'An array of the values; pack_array(*) takes all columns.',
    everyColumn: 'values',
    nulls: 'handled',
    overloads: [{ params: [], rest: param('value', 'any'), returns: 'array', lower: packArray }],
    examples: [
      { apl: 'pack_array(1, "é", true, 2.5, dynamic([1]), 1s)', gives: [1, 'é', true, 2.5, [1], 1_000_000_000] },
      { apl: 'pack_array(long(null), datetime(2024-01-01))', gives: [null, '2024-01-01T00:00:00Z'] },
      { apl: 'pack_array()', gives: [] },
      { apl: 'toscalar(print a = 1, b = "x" | project all = pack_array(*))', gives: [1, 'x'] },
    ],
  },
  bag(
    'bag_pack',
    'An object of keys and values that take turns; bag_pack(*) takes all columns by their names.',
    checkPairs('bag_pack'),
    [
      { apl: 'bag_pack("user", "alice", "n", 2, "none", long(null))', gives: { user: 'alice', n: 2, none: null } },
      { apl: 'bag_pack(strcat("a", 1), dynamic({"b": [1]}))', gives: { a1: { b: [1] } } },
      { apl: 'bag_pack("a/b\\"é", "x/y")', gives: { 'a/b"é': 'x/y' } },
      { apl: 'toscalar(print a = 1, b = "x" | project all = pack(*))', gives: { a: 1, b: 'x' } },
    ],
    { aliases: ['pack'], everyColumn: 'names and values' },
  ),
  bag(
    'pack_dictionary',
    'An object of keys, which must be constant, and values that take turns.',
    (args) => checkPairs('pack_dictionary')(args) ?? checkConstantKeys(args),
    [
      {
        apl: 'pack_dictionary("status", 200, "geo", pack_dictionary("city", "Zürich"))',
        gives: { status: 200, geo: { city: 'Zürich' } },
      },
      { apl: 'pack_dictionary("a", string(null))', gives: { a: null } },
    ],
  ),
];
