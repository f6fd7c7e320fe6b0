import { realOf } from './general.js';
import type { Plain, Special } from '../functions.js';
import type { Scalar } from '../scalar.js';
import { asDynamic, isBag, isList, isNumber, jsonText, textOf } from '../values.js';
import type { Bag, Type, Value } from '../values.js';

/**
 * A value repeated for each element of an array; an array itself gives its elements, and null
 * beyond its end.
 */
const beside = (value: Value, i: number): Value => (isList(value) ? (value[i] ?? null) : value);

const each = (scalar: Scalar): Scalar => ({
  type: 'dynamic',
  at: (rows, i) => asDynamic(scalar.at(rows, i), scalar.type),
});

/** Over the dynamic values of the arguments, whether they are null or not. */
const ofDynamic =
  (of: (...values: readonly Value[]) => Value): Special =>
  (args) => ({ type: 'dynamic', at: (rows, i) => of(...args.map((arg) => each(arg).at(rows, i))) });

const isTruth = (value: Value): boolean | null =>
  typeof value === 'boolean' ? value : isNumber(value) ? Number(value) !== 0 : null;

/** Members without those of an earlier key. */
const mergeBags = (bags: readonly Bag[]): Bag =>
  Object.fromEntries(
    bags.flatMap((bag) => Object.entries(bag)).filter(([key], i, all) => all.findIndex(([k]) => k === key) === i),
  );

const defineEquality = (same: boolean): Special =>
  ofDynamic((series, other) =>
    isList(series)
      ? series.map((value, i) => {
          const against = beside(other ?? null, i);
          return value === null || against === null ? null : (jsonText(value) === jsonText(against)) === same;
        })
      : null,
  );

/** Keys in the order of their bytes, at every depth. */
const orderKeys = (value: Value): Value =>
  isList(value)
    ? value.map(orderKeys)
    : isBag(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
            .map(([key, member]) => [key, orderKeys(member)]),
        )
      : value;

/** The matches of a path of `.key`, `[place]`, `[*]` and `.*`. */
function findMatches(value: Value, path: string): readonly Value[] {
  const steps = path.match(/\.[^.[]+|\[[^\]]+\]/g) ?? [];
  return steps.reduce<readonly Value[]>((values, step) => values.flatMap((from) => followStep(from, step)), [value]);
}

function followStep(value: Value, step: string): readonly Value[] {
  const key = step.startsWith('.') ? step.slice(1) : step.slice(1, -1);
  if (key === '*') return isList(value) ? value : isBag(value) ? Object.values(value) : [];
  if (step.startsWith('.')) return isBag(value) && Object.hasOwn(value, key) ? [value[key]!] : [];
  const at = isList(value) ? value.at(Number(key)) : undefined;
  return at === undefined ? [] : [at];
}

/** `range`: the values from the start to the stop, in equal steps. */
function defineRange(type: Type, unit: bigint | number): Plain {
  return {
    params: [type, type, type === 'datetime' ? 'timespan' : type],
    optional: 2,
    returns: 'dynamic',
    of: (start: bigint, stop: bigint, given?: bigint) => {
      const step = given ?? (unit as bigint);
      if (step === 0n) return [];
      const values: Value[] = [];
      for (let at = start; step > 0n ? at <= stop : at >= stop; at += step) values.push(asDynamic(at, type));
      return values;
    },
  };
}

/** JSON functions that handle nulls themselves. */
export const openJsonFunctions: Readonly<Record<string, Special>> = {
  bag_merge: ofDynamic((...bags) => (bags.some(isBag) ? mergeBags(bags.filter(isBag)) : null)),
  array_iff: ofDynamic((conditions, then, otherwise) =>
    isList(conditions!)
      ? conditions.map((condition, i) => {
          const truth = isTruth(condition);
          return truth === null ? null : beside((truth ? then : otherwise) ?? null, i);
        })
      : null,
  ),
  toarray: ofDynamic((value) =>
    isList(value!) ? value : isBag(value!) ? Object.values(value) : value === null ? [] : [value!],
  ),
  series_equals: defineEquality(true),
  series_not_equals: defineEquality(false),
  dynamic_to_json: ([value]) => ({
    type: 'string',
    at: (rows, i) => textOf(orderKeys(value!.at(rows, i)), value!.type),
  }),
};

/** Functions of JSON; null if an argument is. */
export const jsonFunctions: Readonly<Record<string, readonly Plain[]>> = {
  array_extract: [
    { params: ['dynamic', 'string'], returns: 'dynamic', of: (value: Value, path: string) => findMatches(value, path) },
  ],
  range: [
    defineRange('long', 1n),
    defineRange('timespan', 3_600_000_000_000n),
    defineRange('datetime', 3_600_000_000_000n),
  ],
  base64_encode_fromarray: [
    {
      params: ['dynamic'],
      returns: 'string',
      of: (bytes: Value) => {
        const all = isList(bytes) ? bytes.map((byte) => (isNumber(byte) ? realOf(byte) : null)) : [null];
        const fits = all.every((byte) => typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte < 256);
        return fits ? Buffer.from(all as number[]).toString('base64') : '';
      },
    },
  ],
  base64_decode_toarray: [
    {
      params: ['string'],
      returns: 'dynamic',
      of: (text: string) => {
        const bytes = Buffer.from(text, 'base64');
        return bytes.toString('base64') === text ? [...bytes].map(BigInt) : [];
      },
    },
  ],
  unicode_codepoints_to_string: [
    {
      params: ['dynamic'],
      returns: 'string',
      of: (points: Value) => (isList(points) ? points.map(characterOf).join('') : null),
    },
  ],
};

function characterOf(point: Value): string {
  const code = typeof point === 'bigint' ? Number(point) : -1;
  const isCharacter = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\u{FFFD}';
}
