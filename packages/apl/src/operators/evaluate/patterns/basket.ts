import type { BindPlugin } from '../define.js';
import { PatternArguments } from './arguments.js';
import { noWeight, oneEach, patternFields, weightRows } from './input.js';
import { patternTable, percent } from './result.js';
import { findPatterns } from './search.js';
import { mostSpecific } from './select.js';

/**
 * `basket([threshold, weight column, dimensions, wildcard, …])`: values that occur together in at
 * least such a share of the rows. Of combinations with the same rows the most specific is shown.
 */
export const bindBasket: BindPlugin = (args, input, context) => {
  const given = new PatternArguments('basket', args, context);
  const threshold = given.number('the threshold', 0.05, 0.015, 1);
  const weight = given.weight(input);
  const dimensions = Math.floor(given.number('the number of dimensions', 5, 1, 1000));
  const wildcards = given.wildcards();
  if (given.isBad) return input;
  const rows = weightRows(input, { a: weight?.value ?? oneEach, b: noWeight }, context);
  const fields = patternFields(input, weight === undefined ? [] : [weight.value]);
  const found = findPatterns({ plugin: 'basket', rows, fields, threshold, dimensions }, context);
  if (found === undefined) return input;
  const measures = [
    { name: 'Count', type: weight?.value.type === 'real' ? 'real' : 'long', of: ({ a }) => a },
    { name: 'Percent', type: 'real', of: ({ a }) => percent(a, found.total.a, 1) },
  ] as const satisfies Parameters<typeof patternTable>[2];
  return patternTable(mostSpecific(found.patterns), fields, measures, wildcards, context);
};
