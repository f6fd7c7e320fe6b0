import { types } from './cells.js';
import { Expressions } from './expressions.js';
import type { Step } from './pipelines.js';
import { withFields } from './shape.js';
import { regexes } from './operands.js';
import type { Field } from './shape.js';

/**
 * Names and patterns, each with an order or none. The order of the fields of a shape has no
 * meaning, so it stays.
 */
const reorder: Step = (choices, shape) => {
  const order = (): string => choices.of(['', '', ' asc', ' desc', ' granny-asc', ' granny-desc']);
  const items = choices
    .some(shape.fields)
    .slice(0, 4)
    .map(({ name }) => `${choices.oneIn(2) ? `${name[0]}*` : name}${order()}`);
  const at = choices.below(items.length + 1);
  const rest = choices.oneIn(2) ? [`*${order()}`] : [];
  return { text: `project-reorder ${[...items.slice(0, at), ...rest, ...items.slice(at)].join(', ')}`, shape };
};

const keyValues: Step = (choices, shape) => {
  const e = new Expressions(choices, shape);
  const [pair, kv] = choices.of([
    [';', '='],
    [' ', '='],
    [', ', ':'],
    ['&', '=='],
  ] as const);
  const key = (): string => choices.of(['k', 'x', ' k ', 'kk', 'K']);
  const written = choices.times(1, 3, () => `"${key()}${kv}", tostring(${e.any(1)})`);
  const source = choices.oneIn(4) ? e.of('string', 1) : `strcat(${written.join(`, "${pair}", `)})`;
  const added: readonly Field[] = [
    { name: 'k', type: choices.of(['string', 'long', 'real', 'bool'] as const), wild: true },
    ...(choices.oneIn(2) ? [{ name: 'x', type: 'string' } as const] : []),
  ];
  const kept = shape.fields.filter((field) => added.every(({ name }) => name !== field.name));
  const keys = added.map(({ name, type }) => (type === 'string' ? name : `${name}:${type}`));
  return {
    text: `parse-kv ${source} as (${keys.join(', ')}) with (pair_delimiter="${pair}", kv_delimiter="${kv}")`,
    shape: withFields(shape, [...kept, ...added], kept),
  };
};

const extendValid: Step = (choices, shape) => {
  const e = new Expressions(choices, shape);
  const made = choices.of(types);
  const { name: value, type } = choices.oneIn(2) ? choices.of(shape.fields) : { name: e.of(made, 2), type: made };
  const kept = shape.fields.filter(({ name }) => name !== 'valid');
  const valid: Field = { name: 'valid', type: type === 'mixed' ? 'dynamic' : type, wild: true };
  return { text: `extend-valid valid = ${value}`, shape: withFields(shape, [...kept, valid], kept) };
};

/** One pattern, because several may overlap. Afterwards strings do not identify rows. */
const redact: Step = (choices, shape) => {
  const texts = shape.fields.filter(({ type }) => type === 'string' || type === 'dynamic' || type === 'mixed');
  const token = choices.of(['', 'replaceToken="x" ', 'replaceToken="é" ', 'replaceToken="<gone>" ']);
  const on =
    texts.length > 0 && choices.oneIn(2)
      ? ` on ${choices
          .some(texts)
          .map(({ name }) => name)
          .join(', ')}`
      : '';
  const kept = shape.fields.filter((field) => !texts.includes(field));
  return { text: `redact ${token}${choices.of(regexes)}${on}`, shape: withFields(shape, shape.fields, kept) };
};

/**
 * Not compared: whether an array is known to be one, and the order of columns, which a union does
 * not define.
 */
const schema: Step = () => ({
  text: 'getschema | where ColumnType in ("bool", "long", "real", "string", "datetime", "timespan") | project ColumnName, ColumnType',
  shape: {
    fields: [
      { name: 'ColumnName', type: 'string' },
      { name: 'ColumnType', type: 'string' },
    ],
    unique: ['ColumnName'],
    ordered: false,
  },
});

/** Gives the rows a name, or says how to show them; the rows stay as they are. */
const remark: Step = (choices, shape) => ({ text: choices.of(['as named_rows', 'render table']), shape });

/**
 * Operators that order columns, describe them, change their strings or make them from one
 * expression.
 */
export const columnOperators: readonly Step[] = [reorder, keyValues, extendValid, redact, schema, remark];
