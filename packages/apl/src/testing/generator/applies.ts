import { aggregateOperators } from './aggregations.js';
import { rowOperators } from './operators.js';
import type { Pipeline, Step } from './pipelines.js';
import { ofType, opening } from './shape.js';
import type { Field, Shape } from './shape.js';

/**
 * Elements under new names or in place of their array; the body counts, sorts, limits and
 * aggregates them.
 */
const apply: Step = (choices, shape, source) => {
  const lists = ofType(shape, 'dynamic');
  if (lists.length === 0) return undefined;
  const columns = choices.times(1, choices.oneIn(4) ? 2 : 1, (i) => {
    const { name: of } = choices.of(lists);
    const to = choices.of([undefined, 'long', 'string', 'real'] as const);
    const name = i === 0 && choices.oneIn(3) ? of : `el${i}`;
    const field: Field = { name, type: to ?? 'dynamic', wild: to !== undefined && to !== 'string' };
    const text = `${name === of ? '' : `${name} = `}${of}${to === undefined ? '' : ` to typeof(${to})`}`;
    return { field, text };
  });
  const names = new Set(columns.map(({ field }) => field.name));
  const index = choices.oneIn(2) && shape.fields.every(({ name }) => name !== 'at') ? 'with_itemindex=at ' : '';
  const indexField: readonly Field[] = index === '' ? [] : [{ name: 'at', type: 'long' }];
  const kept = shape.fields.filter(({ name }) => !names.has(name));
  const inner: Shape = {
    fields: [...kept, ...columns.map(({ field }) => field), ...indexField],
    unique: index === '' ? undefined : ['at'],
    ordered: true,
  };
  const body: Pipeline[] = [];
  for (let left = choices.of([1, 1, 2, 3]); left > 0; left--) {
    const last = body.at(-1)?.shape ?? inner;
    const step = (choices.oneIn(12) ? apply : choices.of(bodyOperators))(choices, last, source);
    if (step !== undefined && !unfit.test(step.text)) body.push(step);
  }
  const last = body.at(-1);
  if (last === undefined) return undefined;
  const bag = choices.oneIn(4) ? 'kind=bag ' : '';
  const limit = choices.oneIn(4) ? ' limit 2' : '';
  const head = `mv-apply ${bag}${index}${columns.map(({ text }) => text).join(', ')}${limit}`;
  const result = new Map(last.shape.fields.map((field) => [field.name, field]));
  const others = last.shape.fields.filter(({ name }) => kept.every((field) => field.name !== name));
  return {
    text: `${head} on (${body.map(({ text }) => text).join(' | ')})`,
    shape: {
      fields: [...kept.map((field) => result.get(field.name) ?? field), ...others],
      unique: undefined,
      ordered: shape.ordered && last.shape.ordered,
      ...opening(shape),
    },
  };
};

/** Several levels or a row of others read the elements more than once, which a body cannot. */
const unfit = /^top-nested .*(,|others)/;

const bodyOperators: readonly Step[] = [...rowOperators, ...aggregateOperators];

/** Operators that run others over the elements of each row. */
export const applyOperators: readonly Step[] = [apply, apply];
