import type { BindPlugin } from '../define.js';
import { PatternArguments } from './arguments.js';
import { noWeight, oneEach, patternFields, weightRows } from './input.js';
import { patternTable, percent } from './result.js';
import { findPatterns } from './search.js';
import { localBest, sizeOf } from './select.js';

/** Rarer combinations are not considered; a cluster of fewer rows says little. */
const RAREST = 0.015;

/**
 * `autocluster([size weight, weight column, seeds, wildcard, …])`: few combinations of values that
 * describe much of the rows. The score of one is the geometric mean of the share of rows it covers
 * and the share of columns it names, by the size weight; patterns that
 * neither more nor fewer values improve are shown, as many as there are seeds.
 */
export const bindAutocluster: BindPlugin = (args, input, context) => {
  const given = new PatternArguments('autocluster', args, context);
  const sizeWeight = given.number('the size weight', 0.5, 0, 1);
  const weight = given.weight(input);
  const seeds = Math.floor(given.number('the number of seeds', 25, 1, 1000));
  const wildcards = given.wildcards();
  if (given.isBad) return input;
  const rows = weightRows(input, { a: weight?.value ?? oneEach, b: noWeight }, context);
  const fields = patternFields(input, weight === undefined ? [] : [weight.value]);
  const search = { plugin: 'autocluster', rows, fields, threshold: RAREST, dimensions: Infinity };
  const found = findPatterns(search, context);
  if (found === undefined) return input;
  const { patterns, total } = found;
  const best = localBest(
    patterns,
    (pattern) => (pattern.a / total.a) ** sizeWeight * (sizeOf(pattern) / fields.length) ** (1 - sizeWeight),
  );
  const measures = [
    { name: 'Count', type: weight?.value.type === 'real' ? 'real' : 'long', of: ({ a }) => a },
    { name: 'Percent', type: 'real', of: ({ a }) => percent(a, total.a, 1) },
  ] as const satisfies Parameters<typeof patternTable>[2];
  return patternTable(best.slice(0, seeds), fields, measures, wildcards, context);
};
