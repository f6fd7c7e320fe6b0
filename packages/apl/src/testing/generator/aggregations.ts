import type { Choices } from './choices.js';
import { conversion } from './conversions.js';
import { Expressions } from './expressions.js';
import type { Step } from './pipelines.js';
import { tame } from './shape.js';
import type { Field, Shape } from './shape.js';

interface Aggregate {
  readonly field: Field;
  readonly text: string;
}

const real = (text: string) => ({ type: 'real' as const, text });

/** Aggregates of one field; over reals only those for which the order of adding makes no notable difference. */
function aggregatesOf(
  { name, type, wild }: Field,
  condition: string,
): readonly Omit<Aggregate, 'field'>[] | readonly (Omit<Aggregate, 'field'> & { readonly type: Field['type'] })[] {
  const all = [
    { type: 'long' as const, text: `count_distinct(${name})` },
    { type: 'long' as const, text: `dcount(${name})` },
    { type: 'long' as const, text: `dcountif(${name}, ${condition})` },
    { type: 'long' as const, text: `count_distinctif(${name}, ${condition})` },
  ];
  if (type === 'dynamic' || type === 'mixed') return all;
  const ordered = [
    { type, text: `min(${name})` },
    { type, text: `max(${name})` },
    { type, text: `maxif(${name}, ${condition})` },
    { type, text: `minif(${name}, ${condition})` },
  ];
  const lists =
    type === 'string' || type === 'long'
      ? [
          { type: 'dynamic' as const, text: `array_sort_asc(make_list(${name}))` },
          { type: 'dynamic' as const, text: `array_sort_asc(make_set_if(${name}, ${condition}))` },
          { type: 'dynamic' as const, text: `array_sort_asc(make_list_if(${name}, ${condition}))` },
          { type: 'long' as const, text: `array_length(make_set(${name}, 3))` },
          { type: 'long' as const, text: `array_length(make_list(${name}, 2))` },
          { type: 'dynamic' as const, text: `array_sort_asc(make_set(${name}))` },
          { type: 'dynamic' as const, text: `array_sort_asc(topk(${name}, 50))` },
          { type: 'dynamic' as const, text: `array_sort_asc(topkif(${name}, 50, ${condition}))` },
          { type: 'bool' as const, text: `take_any(${name}) >= min(${name})` },
          { type: 'bool' as const, text: `take_anyif(${name}, ${condition}) <= maxif(${name}, ${condition})` },
        ]
      : [];
  const sums =
    type === 'long' || type === 'timespan' || (type === 'real' && wild !== true)
      ? [
          { type, text: `sum(${name})` },
          { type, text: `sumif(${name}, ${condition})` },
        ]
      : [];
  const spreads =
    wild !== true && (type === 'long' || type === 'real')
      ? [
          ...['avg', 'stdev', 'variance', 'stdevp', 'variancep'].map((f) => real(`${f}(${name})`)),
          ...['avgif', 'stdevif', 'varianceif'].map((f) => real(`${f}(${name}, ${condition})`)),
          real(`percentile(${name}, 50)`),
          real(`percentileif(${name}, 75, ${condition})`),
          real(`round(100.0 * countif(${condition}) / count(), 2)`),
          { type: 'dynamic' as const, text: `percentiles_array(${name}, 0, 25, 99.5)` },
          { type: 'dynamic' as const, text: `percentiles_array(${name}, dynamic([50, 10]))` },
          { type: 'dynamic' as const, text: `percentiles_arrayif(${name}, dynamic([100, 5]), ${condition})` },
        ]
      : [];
  return [...all, ...(wild === true && type === 'real' ? [] : ordered), ...lists, ...sums, ...spreads];
}

export const aggregateTexts = (field: Field, condition: string): readonly string[] =>
  aggregatesOf(field, condition).map(({ text }) => text);

function aggregate(choices: Choices, shape: Shape, i: number): Aggregate {
  const name = `a${i}`;
  const condition = new Expressions(choices, shape).of('bool', 1);
  if (choices.oneIn(3)) {
    const text = choices.of(['count()', `countif(${condition})`]);
    return { field: { name, type: 'long' }, text: `${name} = ${text}` };
  }
  const { type = 'long', text } = choices.of(aggregatesOf(choices.of(shape.fields), condition)) as {
    readonly type?: Field['type'];
    readonly text: string;
  };
  return {
    field: { name, type, wild: type === 'real' || type === 'long' || type === 'dynamic' },
    text: `${name} = ${text}`,
  };
}

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

const summarize: Step = (choices, shape) => {
  const aggregates = choices.times(choices.oneIn(8) ? 0 : 1, 3, (i) => aggregate(choices, shape, i));
  const candidates = tame(shape).filter(({ name }) => !/^a\d$/.test(name));
  const by =
    candidates.length === 0 || choices.oneIn(4)
      ? []
      : choices
          .some(candidates)
          .slice(0, 2)
          .map((field) => group(choices, field));
  if (aggregates.length + by.length === 0) return undefined;
  const groups = by.length === 0 ? '' : ` by ${by.map(({ text }) => text).join(', ')}`;
  return {
    text: `summarize ${aggregates.map(({ text }) => text).join(', ')}${groups}`,
    shape: {
      fields: [...by.map(({ field }) => field), ...aggregates.map(({ field }) => field)],
      unique: by.map(({ field }) => field.name),
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
  const by = tame(shape)
    .filter((field) => field !== best && !fields.includes(field))
    .slice(0, choices.below(2));
  const call = `${choices.of(['arg_max', 'arg_min'])}(${[best, ...fields].map(({ name }) => name).join(', ')})`;
  return {
    text: `summarize ${call}${by.length === 0 ? '' : ` by ${by.map(({ name }) => name).join(', ')}`}`,
    shape: { fields: [...by, best, ...fields], unique: by.map(({ name }) => name), ordered: by.length === 0 },
  };
};

const count: Step = () => ({
  text: 'count',
  shape: { fields: [{ name: 'count', type: 'long' }], unique: [], ordered: true },
});

const distinct: Step = (choices, shape) => {
  const fields = tame(shape);
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
  const measured = tame(shape).find(({ name, type }) => name === only && type === 'long');
  const candidates = tame(shape).filter((field) => field !== measured);
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
  const groupable = tame({ ...shape, fields: free.filter((field) => field !== axis) });
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
  const values = tame(shape).filter(({ type }) => type === 'long' || type === 'real');
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
