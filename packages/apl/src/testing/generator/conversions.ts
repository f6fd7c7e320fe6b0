import { freeName } from '../evaluator/free-name.js';
import type { Type } from '../evaluator/values.js';
import type { Choices } from './choices.js';
import type { Step } from './pipelines.js';
import { withFields } from './shape.js';
import type { Field } from './shape.js';

/** Calls without a name: their column is named after the field. */
export function conversion(choices: Choices, { name, type }: Field): { readonly type: Type; readonly text: string } {
  const all: readonly (readonly [Type, string])[] = [
    ['string', `tostring(${name})`],
    ...(type === 'long' || type === 'real' || type === 'string' ? ([['real', `toreal(${name})`]] as const) : []),
    ...(type === 'real' || type === 'bool' || type === 'string' ? ([['long', `tolong(${name})`]] as const) : []),
    ...(type === 'string' ? ([['dynamic', `split(${name}, ",")`]] as const) : []),
    ...(type === 'datetime' ? ([['datetime', `startofday(${name})`]] as const) : []),
    ...(type === 'dynamic' ? ([['dynamic', `parse_json(tostring(${name}))`]] as const) : []),
  ];
  const [returns, text] = choices.of(all);
  return { type: returns, text };
}

/** Conversions that replace fields or add columns, also several of one field. */
const convert: Step = (choices, shape) => {
  const extending = choices.oneIn(2);
  const beside = extending || choices.oneIn(3) ? [] : choices.some(shape.fields);
  const taken = new Set(beside.map(({ name }) => name));
  const added = choices.times(1, 3, () => {
    const field = choices.of(shape.fields);
    const { type, text } = conversion(choices, field);
    const others = extending && taken.has(field.name) ? shape.fields.map(({ name }) => name) : [];
    const name = freeName(field.name, new Set([...taken, ...others]));
    taken.add(name);
    return { field: { name, type, wild: true }, text };
  });
  const kept = extending ? shape.fields.filter(({ name }) => !taken.has(name)) : beside;
  const texts = [...(extending ? [] : kept.map(({ name }) => name)), ...added.map(({ text }) => text)];
  return {
    text: `${extending ? 'extend' : 'project'} ${texts.join(', ')}`,
    shape: withFields(shape, [...kept, ...added.map(({ field }) => field)], kept),
  };
};

export const conversionOperators: readonly Step[] = [convert];
