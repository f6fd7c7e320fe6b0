import { aggregateTexts } from './aggregates.js';
import { Expressions } from './expressions.js';
import type { Step } from './pipelines.js';
import { ofType, deterministicFields } from './shape.js';
import type { Field } from './shape.js';

const pivot: Step = (choices, shape) => {
  const candidates = shape.fields.filter(({ type, wild }) => wild !== true && type !== 'dynamic');
  const measured = candidates.filter(({ type }) => type !== 'mixed');
  if (candidates.length === 0) return undefined;
  const of = choices.of(candidates);
  const condition = new Expressions(choices, shape).of('bool', 1);
  const calls = measured.flatMap((field) => aggregateTexts(field, condition)).filter((text) => simple.test(text));
  const measure = choices.of([
    '',
    'count()',
    `countif(${condition})`,
    ...(calls.length > 0 ? [choices.of(calls)] : []),
  ]);
  const groups = deterministicFields(shape).filter((field) => field !== of);
  const by = groups.length === 0 || choices.oneIn(4) ? [] : choices.some(groups).slice(0, 2);
  const written = [of.name, ...(measure === '' ? [] : [measure]), ...by.map(({ name }) => name)];
  const others = shape.fields.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(`${of.name} ${measure}`));
  const left = by.length > 0 ? by : others;
  // Without groups, `pivot` groups by all other columns, so all of them have to be comparable.
  if (left.length === 0 || (by.length === 0 && deterministicFields(shape).length !== shape.fields.length))
    return undefined;
  return {
    text: `evaluate pivot(${written.join(', ')})`,
    shape: { fields: left, unique: left.map(({ name }) => name), ordered: false, open: true },
  };
};

/** Calls of one aggregate. */
const simple = /^(count|sum|avg|min|max|dcount|count_distinct|stdev|percentile)(if)?\([^()]*(\([^()]*\)[^()]*)*\)$/;

const unpack: Step = (choices, shape) => {
  const bags = ofType(shape, 'dynamic');
  const name =
    bags.length > 0 && !choices.oneIn(4) ? choices.of(bags).name : new Expressions(choices, shape).dynamic('bag');
  const options = choices.of([
    ', "b."',
    ', "b_", "error", dynamic(["k"])',
    ', "", "keep_source"',
    ', "", "replace_source"',
    ', "e", "replace_source", dynamic(["s", "n"])',
  ]);
  // A key may replace any column, and with values of another type.
  const kept = options.includes('replace') ? [] : shape.fields.filter((field) => field.name !== name);
  const isSafe = (field: Field): boolean => field.name !== name && /^_|^id$/.test(field.name);
  const known: readonly Field[] = kept.length > 0 ? kept : shape.fields.filter(isSafe);
  if (known.length === 0) return undefined;
  return {
    text: `evaluate bag_unpack(${name}${options})`,
    shape: {
      fields: known,
      unique:
        shape.unique?.every((key) => known.some((field) => field.name === key)) === true ? shape.unique : undefined,
      ordered: shape.ordered,
      open: true,
    },
  };
};

/**
 * Operators whose columns depend on the data. Their shapes have only the columns that always exist.
 */
export const pluginOperators: readonly Step[] = [pivot, unpack];
