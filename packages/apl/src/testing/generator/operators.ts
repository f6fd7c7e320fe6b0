import type { Type } from '../evaluator/values.js';
import type { Choices } from './choices.js';
import { types } from './cells.js';
import { Expressions } from './expressions.js';
import type { Step } from './pipelines.js';
import { ofType, opening, deterministicFields, withFields } from './shape.js';
import type { Field, Shape } from './shape.js';

/**
 * A field made by an expression. Numbers count as wild, as they may be quotients or overflows, and
 * so do dynamic values, which may not be arrays.
 */
const createField = (name: string, type: Type): Field => ({
  name,
  type,
  wild: type === 'long' || type === 'real' || type === 'dynamic',
});

const assignFields = (
  choices: Choices,
  shape: Shape,
  prefix: string,
): readonly { readonly field: Field; readonly text: string }[] =>
  choices.times(1, 3, (i) => {
    const type = choices.of(types);
    const name = choices.oneIn(5) && i === 0 ? replaceable(choices, shape, prefix) : `${prefix}${i}`;
    return { field: createField(name, type), text: `${name} = ${new Expressions(choices, shape).of(type, 3)}` };
  });

/**
 * A name for a new column that may replace a field, but is not one that the operator gives to its
 * other new columns.
 */
const replaceable = (choices: Choices, shape: Shape, prefix: string): string => {
  const { name } = choices.of(shape.fields);
  return new RegExp(`^${prefix}[0-9]$`).test(name) ? `${prefix}0` : name;
};

const where: Step = (choices, shape) => ({
  text: `where ${new Expressions(choices, shape).of('bool', 3)}`,
  shape,
});

const extend: Step = (choices, shape) => {
  const columns = assignFields(choices, shape, 'e');
  const kept = shape.fields.filter(({ name }) => columns.every(({ field }) => field.name !== name));
  return {
    text: `extend ${columns.map(({ text }) => text).join(', ')}`,
    shape: withFields(shape, [...kept, ...columns.map(({ field }) => field)], kept),
  };
};

const project: Step = (choices, shape) => {
  const kept = choices.some(shape.fields);
  const columns = choices.oneIn(2)
    ? assignFields(choices, shape, 'p').filter(({ field }) => kept.every((k) => k.name !== field.name))
    : [];
  return {
    text: `project ${[...kept.map(({ name }) => name), ...columns.map(({ text }) => text)].join(', ')}`,
    shape: withFields(shape, [...kept, ...columns.map(({ field }) => field)], kept),
  };
};

/** Keeps fields by their names, or all fields whose names have a beginning in common. */
const keep: Step = (choices, shape) => {
  const chosen = choices.some(shape.fields);
  const open = choices.oneIn(4);
  const kept = open ? shape.fields.filter(({ name }) => chosen.some((one) => one.name[0] === name[0])) : chosen;
  const patterns = chosen.map(({ name }) => (open ? `${name[0]}*` : name));
  return { text: `project-keep ${[...new Set(patterns)].join(', ')}`, shape: withFields(shape, kept) };
};

const projectAway: Step = (choices, shape) => {
  const gone = choices.of(shape.fields);
  const open = choices.oneIn(4);
  const kept = shape.fields.filter((field) => field !== gone && !(open && field.name[0] === gone.name[0]));
  const text = `project-away ${open ? `${gone.name[0]}*` : gone.name}`;
  return kept.length === 0 ? undefined : { text, shape: withFields(shape, kept) };
};

const rename: Step = (choices, shape) => {
  const old = choices.of(shape.fields);
  const name = `renamed_${old.name}`;
  if (shape.fields.some((field) => field.name === name)) return undefined;
  const renameField = (of: string): string => (of === old.name ? name : of);
  return {
    text: `project-rename ${name} = ${old.name}`,
    shape: {
      ...shape,
      fields: shape.fields.map((field) => ({ ...field, name: renameField(field.name) })),
      unique: shape.unique?.map(renameField),
    },
  };
};

const key = (choices: Choices, name: string): string =>
  `${name}${choices.of(['', ' asc', ' desc', ' asc nulls first', ' desc nulls first', ' asc nulls last'])}`;

/** A sort that orders all rows, if there are unique fields. */
const sort: Step = (choices, shape) => {
  const sortable = deterministicFields(shape);
  if (sortable.length === 0) return undefined;
  const chosen = choices.some(sortable).slice(0, 2);
  const decisive = (shape.unique ?? []).filter((name) =>
    chosen.every((field) => field.name !== name || field.type === 'string'),
  );
  const first = chosen.map(({ name, type }) => (type === 'string' && choices.oneIn(3) ? `strlen(${name})` : name));
  const keys = [...first, ...decisive].map((name) => key(choices, name));
  return { text: `sort by ${keys.join(', ')}`, shape: { ...shape, ordered: shape.unique !== undefined } };
};

const take: Step = (choices, shape) => (shape.ordered ? { text: `take ${choices.below(6)}`, shape } : undefined);

const top: Step = (choices, shape) => {
  const [only, ...others] = shape.unique ?? [];
  if (only === undefined || others.length > 0) return undefined;
  return { text: `top ${1 + choices.below(4)} by ${key(choices, only)}`, shape: { ...shape, ordered: true } };
};

const serialize: Step = (choices, shape) => {
  if (!shape.ordered) return undefined;
  const beside = choices.of(shape.fields);
  const longs = ofType(shape, 'long');
  const calls = [
    { type: 'long' as const, text: 'row_number()' },
    { type: beside.type, text: `prev(${beside.name})` },
    { type: beside.type, text: `next(${beside.name}, 2)` },
    ...longs.slice(0, 1).map(({ name }) => ({ type: 'long' as const, text: `row_cumsum(${name})` })),
  ];
  const { type, text } = choices.of(calls);
  const kept = shape.fields.filter(({ name }) => name !== 'w');
  return {
    text: `${choices.of(['serialize', 'extend'])} w = ${text}`,
    shape: withFields(shape, [...kept, createField('w', type)], kept),
  };
};

const expand: Step = (choices, shape) => {
  const lists = ofType(shape, 'dynamic');
  if (lists.length === 0) return undefined;
  const { name } = choices.of(lists);
  const to = choices.of([undefined, undefined, 'long', 'string', 'real'] as const);
  const kind = choices.oneIn(3) ? 'kind=bag ' : '';
  const index = choices.oneIn(3) ? 'with_itemindex=at ' : '';
  const limit = choices.oneIn(4) ? ' limit 2' : '';
  // A second array, expanded in step with the first.
  const beside = choices.oneIn(4) ? `, x0 = ${new Expressions(choices, shape).dynamic('list')}` : '';
  const added: readonly Field[] = [
    ...(index === '' ? [] : [{ name: 'at', type: 'long' } as const]),
    ...(beside === '' ? [] : [{ name: 'x0', type: 'dynamic', wild: true } as const]),
  ];
  if (shape.fields.some((field) => added.some((other) => other.name === field.name))) return undefined;
  const fields = shape.fields.map((field) =>
    field.name === name ? { name, type: to ?? ('dynamic' as const), wild: to !== undefined } : field,
  );
  return {
    text: `mv-expand ${kind}${index}${name}${to === undefined ? '' : ` to typeof(${to})`}${beside}${limit}`,
    shape: { fields: [...fields, ...added], unique: undefined, ordered: false, ...opening(shape) },
  };
};

const parse: Step = (choices, shape) => {
  const texts = ofType(shape, 'string');
  if (texts.length === 0) return undefined;
  const { name } = choices.of(texts);
  const pattern = choices.of([
    'x1 " " x2',
    '"k=" x1 ";" *',
    '* "/" x1',
    'x1 "-" x2',
    '"a" x1',
    'x1 "." x2:long',
    '* "E" x1 " " x2',
  ]);
  const added: readonly Field[] = [
    { name: 'x1', type: 'string' },
    ...(pattern.includes('x2')
      ? [{ name: 'x2', type: pattern.includes('x2:long') ? 'long' : 'string', wild: true } as const]
      : []),
  ];
  const kept = shape.fields.filter((field) => added.every((a) => a.name !== field.name));
  const kind = choices.of(['', '', 'kind=relaxed ', 'kind=regex ']);
  return {
    text: `${choices.of(['parse', 'parse-where'])} ${kind}${name} with ${pattern}`,
    shape: withFields(shape, [...kept, ...added], kept),
  };
};

/** Operators that work row by row. */
export const rowOperators: readonly Step[] = [
  where,
  extend,
  project,
  where,
  extend,
  sort,
  take,
  sort,
  top,
  serialize,
  keep,
  projectAway,
  rename,
  expand,
  parse,
];
