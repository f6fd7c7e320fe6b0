import { types } from './cells.js';
import type { Choices } from './choices.js';
import { Expressions } from './expressions.js';
import type { Pipeline } from './pipelines.js';
import type { Field, Shape } from './shape.js';

/**
 * The latest or earliest event of each group, which the language first finds by its time. Only over
 * a dataset, filtered or not, in which no two events have the same time.
 */
export function latest(choices: Choices, dataset: string, events: Shape): Pipeline {
  const maker = new Expressions(choices, events);
  const filters = choices.times(0, 2, () => ` | where ${maker.of('bool', 1)}`);
  const groups = choices.times(0, 2, (i) => group(choices, maker, `g${i}`));
  const fields = choices.some(events.fields.filter(({ name }) => name !== '_time'));
  const call = `${choices.of(['arg_max', 'arg_min'])}(${['_time', ...fields.map(({ name }) => name)].join(', ')})`;
  const by = groups.length === 0 ? '' : ` by ${groups.map(({ text }) => text).join(', ')}`;
  return {
    text: `${dataset}${filters.join('')} | summarize ${call}${by}`,
    shape: {
      fields: [...groups.map(({ field }) => field), { name: '_time', type: 'datetime' }, ...fields.map(toResultField)],
      unique: groups.map(({ field }) => field.name),
      ordered: groups.length === 0,
    },
  };
}

/**
 * Groups of every type: fields of the events, and computed values, including reals that are not
 * finite and both zeros.
 */
function group(choices: Choices, maker: Expressions, name: string): { readonly field: Field; readonly text: string } {
  const { fields } = maker.shape;
  const { type, text } = choices.of([
    () => {
      const field = choices.of(fields);
      return { type: field.type, text: field.name };
    },
    () => ({ type: 'datetime' as const, text: `bin(_time, ${choices.of(['10m', '1h', '7s'])})` }),
    () => ({ type: 'real' as const, text: choices.of(reals) }),
    () => {
      const made = choices.of(types);
      return { type: made, text: maker.of(made, 1) };
    },
  ])();
  return { field: { name, type: type === 'mixed' ? 'dynamic' : type, wild: true }, text: `${name} = ${text}` };
}

const reals = ['duration / 0', '-0.0 * duration', '0.0 * duration', 'duration / 0.5'];

/** A field of several types is dynamic in the result. */
const toResultField = (field: Field): Field =>
  field.type === 'mixed' ? { ...field, type: 'dynamic', wild: true } : field;
