import { aggregate } from './aggregates.js';
import type { Choices } from './choices.js';
import { conversion } from './conversions.js';
import type { Step } from './pipelines.js';
import { opening, deterministicFields } from './shape.js';
import type { Field } from './shape.js';

const group = (choices: Choices, field: Field): { readonly field: Field; readonly text: string } => {
  const { name, type } = field;
  if (choices.oneIn(4)) {
    const { type: to, text } = conversion(choices, field);
    return { field: { name, type: to, wild: true }, text };
  }
  if (choices.oneIn(2)) {
    if (type === 'datetime') return { field, text: `bin(${name}, ${choices.of(['1h', '1d', '7d', '10m'])})` };
    if (type === 'long') return { field, text: `bin(${name}, ${choices.of(['2', '10', '100'])})` };
    if (type === 'string') return { field: { name: `${name}_low`, type }, text: `${name}_low = tolower(${name})` };
  }
  return { field, text: name };
};

/** Members of dynamic fields, alone or converted; their columns are named after the whole path. */
const members = ({ name }: Field): readonly { readonly field: Field; readonly text: string }[] =>
  ['k', 's', 'n'].flatMap((key) => [
    { field: { name: `${name}_${key}`, type: 'string', wild: true }, text: `tostring(${name}.${key})` },
    { field: { name: `${name}_${key}`, type: 'long', wild: true }, text: `tolong(${name}["${key}"])` },
    { field: { name: `${name}_${key}`, type: 'dynamic', wild: true }, text: `${name}.${key}` },
  ]);

const summarize: Step = (choices, shape) => {
  const aggregates = choices.times(choices.oneIn(8) ? 0 : 1, 3, (i) => aggregate(choices, shape, i));
  const candidates = deterministicFields(shape).filter(({ name }) => !/^a\d$/.test(name));
  const plain =
    candidates.length === 0 || choices.oneIn(4)
      ? []
      : choices
          .some(candidates)
          .slice(0, 2)
          .map((field) => group(choices, field));
  const holders = shape.fields.filter(({ name, type }) => type === 'dynamic' && /^\w+$/.test(name));
  const open = holders.length > 0 && choices.oneIn(3) ? [choices.of(members(choices.of(holders)))] : [];
  const by = [...plain, ...open.filter((one) => plain.every(({ field }) => field.name !== one.field.name))];
  if (aggregates.length + by.length === 0) return undefined;
  const groups = by.length === 0 ? '' : ` by ${by.map(({ text }) => text).join(', ')}`;
  return {
    text: `summarize ${aggregates.map(({ text }) => text).join(', ')}${groups}`,
    shape: {
      fields: [...by.map(({ field }) => field), ...aggregates.map(({ field }) => field)],
      unique: by.some(({ field }) => field.type === 'dynamic') ? undefined : by.map(({ field }) => field.name),
      ordered: by.length === 0,
    },
  };
};

/** The extreme of a unique field, so that exactly one row has it. */
const extremeRow: Step = (choices, shape) => {
  const [only, ...others] = shape.unique ?? [];
  const best = shape.fields.find(({ name }) => name === only);
  if (best === undefined || others.length > 0) return undefined;
  const fields = choices.some(shape.fields).filter((field) => field !== best);
  const by = deterministicFields(shape)
    .filter((field) => field !== best && !fields.includes(field))
    .slice(0, choices.below(2));
  const all = choices.oneIn(4);
  const given = all ? shape.fields.filter((field) => field !== best && !by.includes(field)) : fields;
  const written = [best.name, ...(all ? ['*'] : fields.map(({ name }) => name))];
  const call = `${choices.of(['arg_max', 'arg_min'])}(${written.join(', ')})`;
  return {
    text: `summarize ${call}${by.length === 0 ? '' : ` by ${by.map(({ name }) => name).join(', ')}`}`,
    shape: {
      fields: [...by, best, ...given],
      unique: by.map(({ name }) => name),
      ordered: by.length === 0,
      ...(all ? opening(shape) : {}),
    },
  };
};

const count: Step = () => ({
  text: 'count',
  shape: { fields: [{ name: 'count', type: 'long' }], unique: [], ordered: true },
});

const distinct: Step = (choices, shape) => {
  const fields = deterministicFields(shape);
  if (fields.length === 0) return undefined;
  const all = fields.length === shape.fields.length && choices.oneIn(3);
  const some = all ? fields : choices.some(fields);
  return {
    text: `distinct ${all ? '*' : some.map(({ name }) => name).join(', ')}`,
    shape: { fields: some, unique: some.map(({ name }) => name), ordered: false },
  };
};

/** Measured by a unique field, so that no two values are equally good. */
const topNested: Step = (choices, shape) => {
  const [only, ...more] = shape.unique ?? [];
  const measured = deterministicFields(shape).find(({ name, type }) => name === only && type === 'long');
  const candidates = deterministicFields(shape).filter((field) => field !== measured);
  if (measured === undefined || more.length > 0 || candidates.length === 0) return undefined;
  const fields = choices.some(candidates).slice(0, 3);
  const levels = fields.map(({ name, type }, i) => {
    const others = type === 'string' && choices.oneIn(2) ? ' with others = "others"' : '';
    const direction = choices.of(['', ' desc', ' asc']);
    const count = choices.oneIn(4) ? '' : `${1 + choices.below(3)} `;
    const by = `m${i} = ${choices.of(['max', 'min'])}(${measured.name})${direction}`;
    return {
      field: [
        { name, type },
        { name: `m${i}`, type: 'long' },
      ] as const,
      text: `${count}of ${name}${others} by ${by}`,
    };
  });
  return {
    text: `top-nested ${levels.map(({ text }) => text).join(', ')}`,
    shape: { fields: levels.flatMap(({ field }) => field), unique: undefined, ordered: false },
  };
};

/** Defaults for empty bins of a series, by its type. */
const defaults: Readonly<Record<Field['type'], string>> = {
  bool: 'true',
  long: '5',
  real: '2.5',
  string: '"none"',
  datetime: 'datetime(2024-02-03 04:05:06.07)',
  timespan: '90m',
  dynamic: '5',
  mixed: '5',
};

/** Over whole numbers or times; the last bin may go beyond the end. */
const series: Step = (choices, shape) => {
  const free = shape.fields.filter(({ name }) => !/^a\d$/.test(name));
  const axes = free.filter(({ type, wild }) => (type === 'long' && wild !== true) || type === 'datetime');
  if (axes.length === 0) return undefined;
  const axis = choices.of(axes);
  const range =
    axis.type === 'long'
      ? choices.of(['from 0 to 5 step 2', 'from -3 to 4 step 1', 'from 1 to 1 step 5', 'from 0 to 1000 step 100'])
      : choices.of([
          'from datetime(2024-06-15) to datetime(2024-06-16) step 5h',
          'from datetime(2024-01-01) to datetime(2025-01-01) step 60d',
          'from datetime(1969-12-31) to datetime(1970-01-02) step 1d',
        ]);
  const groupable = deterministicFields({ ...shape, fields: free.filter((field) => field !== axis) });
  const by = groupable.length === 0 || choices.oneIn(3) ? [] : [choices.of(groupable)];
  const aggregates = choices.times(1, 2, (i) => aggregate(choices, shape, i));
  const texts = aggregates.map(({ text, field: { type } }) => {
    const otherwise = choices.of(['', '', defaults[type], 'long(null)']);
    return otherwise === '' ? text : `${text} default=${otherwise}`;
  });
  const groups = by.length === 0 ? '' : ` by ${by.map(({ name }) => name).join(', ')}`;
  const array = (name: string): Field => ({ name, type: 'dynamic', wild: true });
  return {
    text: `make-series ${texts.join(', ')} on ${axis.name} ${range}${groups}`,
    shape: {
      fields: [...by, ...aggregates.map(({ field }) => array(field.name)), array(axis.name)],
      unique: by.length === 0 ? [] : by.map(({ name }) => name),
      ordered: by.length === 0,
    },
  };
};

/** Per second of a bin of time. */
const rate: Step = (choices, shape) => {
  const values = deterministicFields(shape).filter(({ type }) => type === 'long' || type === 'real');
  const time = shape.fields.find(({ name, type }) => name === '_time' && type === 'datetime');
  if (time === undefined || values.length === 0) return undefined;
  const call = `rate(${choices.of(values).name})`;
  return {
    text: `summarize a0 = ${call}, a1 = count() by bin(_time, ${choices.of(['10m', '1h', '90s', '1d'])})`,
    shape: {
      fields: [time, { name: 'a0', type: 'real', wild: true }, { name: 'a1', type: 'long' }],
      unique: ['_time'],
      ordered: false,
    },
  };
};

/** Operators that combine many rows into one. */
export const aggregateOperators: readonly Step[] = [
  summarize,
  summarize,
  summarize,
  extremeRow,
  count,
  distinct,
  topNested,
  series,
  rate,
];
