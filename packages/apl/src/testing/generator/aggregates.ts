import type { Choices } from './choices.js';
import { Expressions } from './expressions.js';
import type { Field, Shape } from './shape.js';

/** A column that aggregates rows, and how a query writes it. */
interface Aggregate {
  readonly field: Field;
  readonly text: string;
}

const real = (text: string) => ({ type: 'real' as const, text });

/**
 * Aggregates of one field; over reals only those for which the order of adding makes no notable
 * difference.
 */
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
  const bits =
    type === 'long'
      ? ['binary_all_and(', 'binary_all_or(', 'binary_all_xor('].map((f) => ({ type, text: `${f}${name})` }))
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
  return [...all, ...(wild === true && type === 'real' ? [] : ordered), ...lists, ...sums, ...bits, ...spreads];
}

/** Every aggregate of a field. */
export const aggregateTexts = (field: Field, condition: string): readonly string[] =>
  aggregatesOf(field, condition).map(({ text }) => text);

/** A named aggregate of the rows or of one of their fields. */
export function aggregate(choices: Choices, shape: Shape, i: number): Aggregate {
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
