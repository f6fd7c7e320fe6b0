import { bindScalar, bindSingle } from '../../../bind/context.js';
import { textOf } from '../../../bind/values/convert-text.js';
import { functionNamed } from '../../../functions/index.js';
import { bindCall } from '../../../bind/calls/calls.js';
import { constantText } from '../../../plan/scalar.js';
import type { Scalar } from '../../../plan/scalar.js';
import type { BindPlugin } from '../define.js';
import { PatternArguments } from './arguments.js';
import { isText, noWeight, oneEach, patternFields, weightRows } from './input.js';
import { patternTable, percent } from './result.js';
import { findPatterns } from './search.js';
import { localBest } from './select.js';
import type { Pattern } from './select.js';

/**
 * `diffpatterns(column, "a", "b" [, weight column, threshold, dimensions, wildcard, …])`: values
 * that are more frequent among the rows with one text in a column than among those with another.
 */
export const bindDiffpatterns: BindPlugin = ([split, first, second, ...args], input, context) => {
  const { query, span } = context;
  const [a, b] = [first, second].map((arg) => arg && constantText(bindSingle(arg.value, context.constantScope)));
  if (split === undefined || a === undefined || b === undefined) {
    const message = 'diffpatterns needs a column and two of its values as texts: diffpatterns(method, "GET", "POST")';
    query.report.error('argument_count', span, message);
    return input;
  }
  const given = new PatternArguments('diffpatterns', args, context);
  const weight = given.weight(input);
  const threshold = given.number('the threshold', 0.05, 0.015, 1);
  const dimensions = Math.floor(given.number('the number of dimensions', 1000, 1, 1000));
  const wildcards = given.wildcards();
  if (given.isBad) return input;
  const column = textOf(bindScalar(split.value, context.scalarScope(input.schema)));
  const within = (text: string): Scalar => {
    const values = [isText(column, text, context), weight?.value ?? oneEach, noWeight];
    const { overloads } = functionNamed('iff')!;
    return bindCall({ name: 'iff', overloads, args: values.map((value) => ({ value: [value], span })), span }, query);
  };
  const rows = weightRows(input, { a: within(a), b: within(b) }, context);
  const fields = patternFields(input, [column, ...(weight === undefined ? [] : [weight.value])]);
  const found = findPatterns({ plugin: 'diffpatterns', rows, fields, threshold, dimensions }, context);
  if (found === undefined) return input;
  const { total } = found;
  const shareA = ({ a: count }: Pattern): number => percent(count, total.a, 2);
  const shareB = ({ b: count }: Pattern): number => percent(count, total.b, 2);
  const difference = (pattern: Pattern): number => Math.abs(shareA(pattern) - shareB(pattern));
  const different = found.patterns.filter((pattern) => difference(pattern) >= 100 * threshold);
  const type = weight?.value.type === 'real' ? 'real' : 'long';
  const measures = [
    { name: 'CountA', type, of: ({ a: count }) => count },
    { name: 'CountB', type, of: ({ b: count }) => count },
    { name: 'PercentA', type: 'real', of: shareA },
    { name: 'PercentB', type: 'real', of: shareB },
    { name: 'PercentDiffAB', type: 'real', of: (pattern) => Number(difference(pattern).toFixed(2)) },
  ] as const satisfies Parameters<typeof patternTable>[2];
  return patternTable(localBest(different, difference), fields, measures, wildcards, context);
};
