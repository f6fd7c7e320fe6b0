import { expect, test } from 'vitest';
import { findings } from '../../testing/check-syntax.js';

const advice = 'there is no operator transaction; write summarize min(_time), max(_time), make_list(…) by the id';

test('semicolons in the brackets of an operator of another language end no query', () => {
  const text = 't | transaction with (step a: x > (1) => n = 1; step b: y;) | count';
  expect(findings(text)).toEqual([`t | «transaction» ${advice}`]);
  expect(findings(`${text}; u`)).toEqual([
    `t | «transaction» ${advice}`,
    `${text}; «u» a text holds one query; name the earlier one with let, or remove it`,
  ]);
});

test('hints are reported where they stand', () => {
  expect(findings('t | join kind=inner hint.strategy = broadcast (u) on a')).toEqual([
    '(warning) t | join kind=inner «hint.strategy = broadcast» hints have no effect',
  ]);
  expect(findings('t | where hint.strategy == 1')).toEqual([]);
});

test('a text behind a text', () => {
  expect(findings("t | where a == 'it''s'")).toEqual([
    "t | where a == «'it''s'» a quote within a text is written \\': 'it\\'s'",
  ]);
});

test('months are no timespans', () => {
  expect(findings('t | where a > 1month')).toEqual([
    't | where a > «1month» month is no unit of time, because months and years differ in length; ' +
      'startofmonth(t) groups by them, and datetime_add("month", 1, t) adds one',
  ]);
});

test('semicolons in other brackets do', () => {
  expect(findings('t | where (a; u')).toContain(
    't | where (a; «u» a text holds one query; name the earlier one with let, or remove it',
  );
});

test('what follows a value in other languages is reported with what to write here', () => {
  expect(findings('t | where f:"x"')).toEqual([
    't | where f«:» expected | or the end of the query, but found :; names are followed by =, as in b = a, ' +
      'conversions are toint(a), tostring(a), and a:"b" stands in search only',
  ]);
  expect(findings('t | summarize count() every 5m')).toEqual([
    't | summarize count() «every» expected a comma or by, but found every; bins of time are groups: by bin(_time, 5m)',
  ]);
});

test.each(['t | wher', 't | wher | count'])('an operator that does not exist, with nothing behind it: %s', (text) =>
  expect(findings(text)).toEqual(['t | «wher» there is no operator wher; did you mean where?']),
);
