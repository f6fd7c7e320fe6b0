import { parse } from '@millrace/apl/editor';
import { expect, it } from 'vitest';
import type { Chart } from './document.js';
import { combinedQuery, formulaOf, withFormula } from './formula.js';

const failedQuery = 'logs | where status >= 500 | summarize count() by bin_auto(_time), service';
const all = 'logs | summarize n = count() by bin_auto(_time), service';

it.each([
  [
    failedQuery,
    all,
    [
      'union (logs | where status >= 500 | summarize A = count() by bin_auto(_time), service), (logs | summarize B = count() by bin_auto(_time), service)',
      'summarize A = 1.0 * sum(A), B = 1.0 * sum(B) by bin_auto(_time), service',
      'extend value = A / B * 100',
      'project-away A, B',
    ],
  ],
  [
    'logs | summarize percentile(took, 95) by route = tolower(path)',
    'old | summarize countif(by_user(x, ")")) by route = tolower(path)',
    [
      'union (logs | summarize A = percentile(took, 95) by route = tolower(path)), (old | summarize B = countif(by_user(x, ")")) by route = tolower(path))',
      'summarize A = 1.0 * max(A), B = 1.0 * sum(B) by route',
      'extend value = A / B * 100',
      'project-away A, B',
    ],
  ],
  [
    'logs | summarize avg(took)\n| render timechart',
    'logs | summarize count()',
    [
      'union (logs | summarize A = avg(took)), (logs | summarize B = count())',
      'summarize A = 1.0 * max(A), B = 1.0 * sum(B)',
      'extend value = A / B * 100',
      'project-away A, B',
    ],
  ],
] as const)('%s with %s is one query', (a, b, lines) => {
  const combined = combinedQuery({ text: ' A / B * 100 ', a, b });
  expect(combined).toEqual({ apl: lines.join('\n| ') });
  expect(parse(lines.join('\n| ')).diagnostics).toEqual([]);
});

it.each([
  ['logs', all, /^Query A must end with one aggregate/],
  [failedQuery, 'logs | summarize count(), avg(took) by service', /^Query B must end with one aggregate/],
  [failedQuery, 'logs | summarize count()', /groups bin_auto\(_time\), service, query B none/],
])('%s with %s has no formula', (a, b, problem) =>
  expect(combinedQuery({ text: 'A', a, b })).toEqual({ problem: expect.stringMatching(problem) as string }),
);

it('is kept with the combined query, until another program changes the query', () => {
  const chart: Chart = { id: 'c', type: 'TimeSeries', query: { apl: failedQuery, other: 1 } };
  const formula = { text: 'A / B', a: failedQuery, b: all };
  const made = withFormula(chart, formula);
  expect(formulaOf(made)).toEqual(formula);
  expect(formulaOf({ ...made, query: { apl: all } })).toBeUndefined();
  expect(withFormula(made, undefined)).toEqual(chart);
});
