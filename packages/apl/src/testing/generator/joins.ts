import type { Choices } from './choices.js';
import type { Pipeline, Step } from './pipelines.js';
import { opening, deterministicFields } from './shape.js';
import type { Field, Shape } from './shape.js';

const kinds = ['inner', 'leftouter', 'rightouter', 'fullouter', 'leftsemi', 'leftanti', 'rightsemi', 'rightanti'];

/**
 * Pairs of fields of both sides whose values can be compared, numbers of different types and NaN
 * included.
 */
function joinKeysOf(left: Shape, right: Shape): readonly (readonly [Field, Field])[] {
  const kindOf = ({ type }: Field): string => (type === 'real' || type === 'timespan' ? 'long' : type);
  const isOpen = ({ type }: Field): boolean => type === 'dynamic' || type === 'mixed';
  return left.fields.flatMap((l) =>
    right.fields.flatMap((r): readonly (readonly [Field, Field])[] =>
      kindOf(l) === kindOf(r) || isOpen(l) || isOpen(r) ? [[l, r]] : [],
    ),
  );
}

/** Pairs of fields of both sides with the same type, whose values have an order. */
export function keysOf(left: Shape, right: Shape): readonly (readonly [Field, Field])[] {
  return deterministicFields(left).flatMap((l) =>
    deterministicFields(right).flatMap((r): readonly (readonly [Field, Field])[] =>
      l.type === r.type ? [[l, r]] : [],
    ),
  );
}

/** Expressions that may be equal on both sides, by the type of the fields. */
const sides: Readonly<Partial<Record<Field['type'], readonly (readonly [string, string])[]>>> = {
  string: [
    ['tolower($l)', 'tolower($r)'],
    ['strlen($l)', 'strlen($r)'],
    ['$l', 'strcat($r, "")'],
  ],
  long: [
    ['$l % 3', '$r % 3'],
    ['$l', '$r + 1'],
    ['tostring($l)', 'tostring($r)'],
    ['$l / 2.0', '$r'],
  ],
  datetime: [['bin($l, 1h)', 'bin($r, 1h)']],
  bool: [['not($l)', '$r']],
  dynamic: [['tostring($l)', 'tostring($r)']],
};

/** A condition and, if its right side is a field, that field. */
function condition(
  choices: Choices,
  keys: readonly (readonly [Field, Field])[],
): { readonly text: string; readonly right?: Field } {
  const pair = choices.of(keys);
  const [l, r] = pair;
  const computed = l.type === r.type ? sides[l.type] : undefined;
  if (computed !== undefined && choices.oneIn(3)) {
    const [left, right] = choices.of(computed);
    const written = [left.replace('$l', `$left.${l.name}`), right.replace('$r', `$right.${r.name}`)];
    const text = (choices.oneIn(3) ? written.toReversed() : written).join(' == ');
    return right === '$r' ? { text, right: r } : { text };
  }
  return { text: choices.oneIn(6) ? `$right.${r.name} == $left.${l.name}` : on(pair), right: r };
}

/** One condition or several, and the fields of the right side that are keys. */
function conditions(
  choices: Choices,
  keys: readonly (readonly [Field, Field])[],
): { readonly text: string; readonly rights: readonly Field[] } {
  const all = choices.times(1, choices.oneIn(3) ? 3 : 1, () => condition(choices, keys));
  return { text: all.map(({ text }) => text).join(', '), rights: all.flatMap(({ right = [] }) => right) };
}

const on = ([l, r]: readonly [Field, Field]): string =>
  l.name === r.name ? l.name : `$left.${l.name} == $right.${r.name}`;

const join: Step = (choices, shape, source) => {
  const right = source(choices);
  const keys = joinKeysOf(shape, right.shape);
  if (keys.length === 0) return undefined;
  const kind = choices.of(kinds);
  const { text: written, rights } = conditions(choices, keys);
  // With one match at most it makes no difference which one counts.
  const once = isOne(right, rights);
  const style = kind === 'inner' && once && choices.oneIn(2) ? 'innerunique' : kind;
  const text = `join kind=${style} (${right.text}) on ${written}`;
  if (kind.startsWith('left') && kind !== 'leftouter') return { text, shape: { ...shape, ordered: false } };
  if (kind.startsWith('right') && kind !== 'rightouter') return { text, shape: { ...right.shape, ordered: false } };
  return { text, shape: joinShapes(shape, right.shape, /^(inner|leftouter)$/.test(kind) && once) };
};

/** Whether a row of the left side has at most one match. */
const isOne = ({ shape: { unique } }: Pipeline, keys: readonly Field[]): boolean =>
  unique?.length === 1 && keys.some(({ name }) => unique[0] === name);

const lookup: Step = (choices, shape, source) => {
  const right = source(choices);
  const keys = joinKeysOf(shape, right.shape);
  if (keys.length === 0) return undefined;
  const { text: written, rights } = conditions(choices, keys);
  const kind = choices.of(['leftouter', 'inner']);
  const added = { ...right.shape, fields: right.shape.fields.filter((field) => !rights.includes(field)) };
  return {
    text: `lookup kind=${kind} (${right.text}) on ${written}`,
    shape: joinShapes(shape, added, isOne(right, rights)),
  };
};

/** @param once whether no row of the left side is repeated */
function joinShapes(left: Shape, right: Shape, once: boolean): Shape {
  const taken = new Set(left.fields.map(({ name }) => name));
  const added = right.fields.map((field): Field => {
    let { name } = field;
    for (let i = 1; taken.has(name); i++) name = `${field.name}${i}`;
    taken.add(name);
    return { ...field, name };
  });
  return {
    fields: [...left.fields, ...added],
    unique: once ? left.unique : undefined,
    ordered: false,
    ...opening(left, right),
  };
}

/** Types whose values a column of several types may hold. */
const mixable: readonly Field['type'][] = ['long', 'real', 'string', 'bool', 'mixed'];

/**
 * A field of the same name in two tables; undefined for types that are not compared when they are
 * mixed.
 */
function mixFields(left: Field, right: Field): Field | undefined {
  if (left.type !== right.type)
    return mixable.includes(left.type) && mixable.includes(right.type)
      ? { name: left.name, type: 'mixed', wild: true }
      : undefined;
  return left.wild === true || right.wild === true ? { ...left, wild: true } : left;
}

/**
 * The fields of two tables; undefined if they share a name with types that are not compared when
 * they are mixed.
 */
function mergeFields(left: readonly Field[], right: readonly Field[]): readonly Field[] | undefined {
  const shared = left.map((l) => {
    const r = right.find(({ name }) => name === l.name);
    return r === undefined ? l : mixFields(l, r);
  });
  const added = right.filter((r) => left.every((l) => l.name !== r.name));
  const known = shared.filter((field) => field !== undefined);
  return known.length < shared.length ? undefined : [...known, ...added];
}

const union: Step = (choices, shape, source) => {
  const others = choices.times(1, choices.oneIn(4) ? 3 : 1, () => source(choices));
  // Unknown fields might share a name and have types that are not compared.
  if (opening(shape, ...others.map((other) => other.shape)).open === true) return undefined;
  const fields = others.reduce<readonly Field[] | undefined>(
    (so, other) => so && mergeFields(so, other.shape.fields),
    shape.fields,
  );
  if (fields === undefined) return undefined;
  // The rows of `getschema` come from no dataset.
  const sourced = choices.oneIn(3) && fields.every(({ name }) => !/origin|ColumnName/.test(name));
  return {
    text: `union ${sourced ? 'withsource=origin ' : ''}${others.map(({ text }) => `(${text})`).join(', ')}`,
    shape: {
      fields: sourced ? [{ name: 'origin', type: 'string' }, ...fields] : fields,
      unique: undefined,
      ordered: false,
    },
  };
};

/** Operators over two tables. */
export const joinOperators: readonly Step[] = [join, lookup, union];
