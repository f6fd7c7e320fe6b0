import { expect, it } from 'vitest';
import { findings } from '../../testing/check-syntax.js';
import { compileText } from '../../testing/compile-text.js';

/**
 * Queries of users who come from SQL, Kusto, Splunk, LogQL or a programming language, and the words
 * of the message that suggest a correction.
 */

const aFunction = 'a function is written let f = (a: long) { a + 1 }';
const begins = "a query begins with its dataset alone, as in ['dataset'] | where a == 1";

it.each([
  // SQL
  ['t | where a NOT LIKE "%x%"', 'there is no operator NOT LIKE; write !contains'],
  ['t | where a = 1', 'to compare, write =='],
  ['t | where isnull a', 'a call has brackets: isnull(a)'],
  ['t | where a exists', 'isnotnull(a) tells'],
  ['t | project a AS b', 'a column is named before its value'],
  ['t | summarize count() BY a', 'words of the language are in lower case'],
  ['t | distinct by a', 'distinct takes the columns alone: distinct a'],
  ['t | distinct a by b', 'groups belong to summarize'],
  ["t | where a == 'it's'", "a quote within a text is written \\'"],
  ['t | where a == "say "hi" now"', 'a quote within a text is written \\"'],
  ['from t', begins],
  ['t | where a > 1 -- old', 'a comment begins with //'],
  // Kusto and its relatives
  ['t | where a contains any ("x", "y")', 'contains takes no list; write a contains "x" or a contains "y"'],
  ['t | where a !startswith all ("x")', '!startswith takes no list; write a !startswith "x" and'],
  ['t | where a has any ("x")', 'has any is written has_any'],
  ['let f(a) = a + 1; t', aFunction],
  ['let f(a: long) { a + 1 }; t', aFunction],
  ['t | take', 'take takes the number of rows, as in take 10'],
  ['t | sample', 'sample 10'],
  // Splunk and LogQL
  ['index=t a=1', begins],
  ['sum by (a) (rate({b="c"}[5m]))', begins],
  ['t "failed"', 'search "failed"'],
  ['t failed', 'search "failed"'],
  ['t |= "failed"', 'search "…"'],
  ['t | "failed"', 'search "…"'],
  // Programming languages
  ['let f = a => a + 1; t', aFunction],
  ['let f = (a, b) => a + b; t', aFunction],
  ['let f = function(a) { a + 1 }; t', aFunction],
  ['let f = lambda a: a + 1; t', aFunction],
  ['t | project -a, b', 'project-away a leaves a column out'],
  ['t | extend x = a ^ 2', 'powers are pow(a, b)'],
  ['t | extend x = a ** 2', 'powers are pow(a, b)'],
  ['t | where a === 1', '=== is written =='],
  ['t | where a =< 1', '=< is written <='],
  ['t | where a > .5', 'a number begins with a digit: 0.5'],
  ['t | where a > 1,000', 'nothing divides the digits of a number: 1000'],
  ['t | where a regex "x"', 'use matches regex'],
  ['t | where a notin (1, 2)', 'use !in'],
  ['t | sort by a dsc', 'dsc is written desc'],
  ['t | first 5', 'did you mean take?'],
  ['t | skip 5', 'rows cannot be skipped'],
  ['t | limit 5, 10', 'take and limit take one number'],
  ['t | summarize count() by a 1h', 'bins of time are written bin(_time, 1h)'],
  ['t | where a == 10.0.0.1', 'addresses and versions are texts in quotes'],
])('%s', (text, advice) => expect(findings(text).join('\n')).toContain(advice));

it('valid queries get no such error', () => {
  for (const text of [
    'let x = (1 + 2); t',
    'let f = (a: long) { a + 1 }; t',
    't | project x = -a',
    't | limit',
    't | where any == 1 and a has all',
    't | where a =~ "a.b" and a !~ "$x"',
  ])
    expect(findings(text), text).toEqual([]);
});

it.each([
  ['print a = 1 | where a > 10k', 'a number is written 10000'],
  ['print a = 1 | where a > 1_000', 'a number is written 1000'],
  ['print a = 1 | where a > 1_000M', 'a number is written 1000000000'],
  ['print a = 1 | summarize count() by 1h', 'times are grouped by bin(_time, 1h)'],
  ['print a = now() | where a > today()', 'write startofday(now())'],
])('%s comes with what to write', (text, advice) =>
  expect(compileText(text).diagnostics).toMatchObject([{ message: expect.stringContaining(advice) }]),
);

it('a value that is equal in all rows has a name and can be a group key', () =>
  expect(compileText('print a = 1 | summarize count() by size = 1h, day = "x"').diagnostics).toEqual([]));

it.each(['.*x.*', '^x', 'x$'])('=~ with what looks like a pattern comes with a warning: %s', (pattern) =>
  expect(compileText(`print a = "x" | where a =~ "${pattern}"`).diagnostics).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('a pattern is tested by matches regex') },
  ]),
);
