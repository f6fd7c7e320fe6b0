import { describe, expect, test } from 'vitest';
import { sampleCatalog } from '../testing/editor.js';
import { applyFix, diagnose } from './diagnose.js';

/** The text after the first fix, if there is one. */
function applyFirstFix(text: string): string {
  const fix = diagnose(text, sampleCatalog).flatMap(({ fixes }) => fixes)[0];
  return fix === undefined ? text : applyFix(text, fix);
}

describe('the first fix', () => {
  test.each([
    ['lgos | count', 'logs | count'],
    ["['web-log'] | count", "['web-logs'] | count"],
    ['logs | smmarize count()', 'logs | summarize count()'],
    ['logs | filter id == 1', 'logs | where id == 1'],
    ['logs | where strlne(method) > 1', 'logs | where strlen(method) > 1'],
    ['logs | summarize cuont()', 'logs | summarize count()'],
    ['logs | where statsu == 200', 'logs | where status == 200'],
    ['logs | where geo.citi == "x"', `logs | where ['geo.city'] == "x"`],
    ['logs | project-away mesage', 'logs | project-away message'],
    ['logs | where id = 1', 'logs | where id == 1'],
    ['logs | where method == "GET', 'logs | where method == "GET"'],
    ['logs | where (id == 1', 'logs | where (id == 1)'],
    ['logs | where (id == 1 | count', 'logs | where (id == 1 ) | count'],
    ['logs where id == 1', 'logs | where id == 1'],
    ['logs | sort id', 'logs | sort by id'],
    ['logs | project a-b = 1', "logs | project ['a-b'] = 1"],
    ['logins | where host-name == "a"', `logins | where ['host-name'] == "a"`],
    ['logs | where method AND id == 1', 'logs | where method and id == 1'],
    ['logs | where !isnull(id)', 'logs | where not isnull(id)'],
    ['logs | project [id, method]', 'logs | project dynamic([id, method])'],
    ['logs | join kind=leftoutr (logins) on id', 'logs | join kind=leftouter (logins) on id'],
    ['logs | render timchart', 'logs | render timechart'],
    ['logs | evaluate pivt(method)', 'logs | evaluate pivot(method)'],
    ['let a = 1 logs | take a', 'let a = 1; logs | take a'],
    ['logs | where method == “GET”', 'logs | where method == "GET"'],
    ['logs | where id > 1, method', 'logs | where id > 1, method'],
  ])('%s', (text, expected) => expect(applyFirstFix(text)).toBe(expected));
});

const brokenQueries = [
  'lgos | count',
  'logs | smmarize count()',
  'logs | where strlne(method) > 1',
  'logs | where statsu == 200 and methd == "x"',
  'logs | where id = 1 and (status == 2',
  'logs | sort id | tke 5',
  'logins | where host-name == "a"',
  'logs | project a-b = 1, c.d = 2',
  'logs | where id => 1 and method <> "x" && !isnull(id)',
  'logs | summarize count() as n',
  'logs | where id between (1, 5)',
  'logs | where id in [1, 2]',
  'logs | extend x = tags.0, y = .5',
  'logs | parse message with "a", b',
  'logs | extend x = {a: 1}',
  'let x: lnog = 1; logs | take x',
  'datatable (a: strng) ["x"]',
  'declare parameters (a: long); logs | take a',
  'logs | sort by id descending',
  'logs | where method == TRUE',
  'logs | where method not contains "a"',
  'logs | where method matches "a"',
  'logs | count;; | take 1',
  'print a = 1\nb = 2',
  'logs | where id == 1)',
  'logs | ... | take 1',
];

test.each(brokenQueries)('every fix removes the finding it belongs to: %s', (text) => {
  const findings = diagnose(text, sampleCatalog);
  expect(findings).not.toEqual([]);
  for (const { code, message, span, fixes } of findings) {
    for (const fix of fixes) {
      const after = diagnose(applyFix(text, fix), sampleCatalog);
      const still = after.filter(
        (each) => each.code === code && each.message === message && each.span.start === span.start,
      );
      expect(still).toEqual([]);
    }
  }
});

test('a correct query has no findings', () =>
  expect(diagnose('logs | where status == 200 | summarize count() by method', sampleCatalog)).toEqual([]));

test('a query that has to ask the data first has no findings for that', () =>
  expect(diagnose('logs | evaluate pivot(method)', sampleCatalog)).toEqual([]));

test('the range the query will run with is an option', () => {
  const text = 'logs | where _time > ago(1h) | summarize count() by bin(_time, 1m)';
  const range = { start: -3_600_000_000_000n, end: 0n, given: { start: true, end: false } };
  expect(diagnose(text, sampleCatalog, { range }).map(({ code }) => code)).toEqual(['implicit_end']);
});
