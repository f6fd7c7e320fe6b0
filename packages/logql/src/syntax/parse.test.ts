import { describe, expect, test } from 'vitest';
import { parse } from './parse.js';

describe('errors have a place and say what to do', () => {
  test.each([
    ['', 'line 1, col 1: syntax error: the query is empty'],
    ['{', 'line 1, col 2: syntax error: unexpected end of input'],
    ['{}', 'line 1, col 2: the selector needs a label'],
    ['{a="b"} |\n!', 'line 2, col 1: syntax error: unexpected "!"'],
    ['{a="b\\q"}', 'col 4: unknown escape sequence'],
    ['rate({a="b"}[$__auto])', 'col 14: syntax error: unexpected "$"; variables are replaced'],
    ['{a="b"} | unwrap x', 'unwrap belongs into a range aggregation'],
    ['approx_topk(3, rate({a="b"}[1m]))', 'approx_topk is not supported; use topk'],
    ['{a="b"} | distinct x', 'distinct is not supported; use sum by'],
    ['sum_over_time({a="b"}[1m])', 'invalid aggregation sum_over_time without unwrap'],
    ['count_over_time({a="b"} | unwrap x [1m])', 'invalid aggregation count_over_time with unwrap'],
    ['quantile_over_time({a="b"} | unwrap x [1m])', 'takes a share'],
    ['topk(rate({a="b"}[1m]))', 'topk takes a number and an expression'],
    ['{a="b"} | json x="$.a"', '"$.a" is no path of members'],
    ['{a="b"} | regexp "(\\\\w+)"', 'at least one group needs a name'],
    ['{a="b"} | regexp "(?P<x>"', 'col 18: '],
    ['{a="b"} | pattern "<_> <_>"', 'at least one capture needs a name'],
    ['{a="b"} | pattern "<a><b>"', 'need a text between them'],
    ['{a="b"} | pattern "<a> <a>"', '<a> occurs twice'],
    ['{a="b"} | line_format "{{range .x}}"', 'col 23: the template function range is not supported; supported are'],
    ['{a="b"} | line_format "{{.x"', '{{ without }}'],
    ['{a="b"} | line_format "{{.x | replace `a`}}"', 'replace takes 2 arguments and a value'],
    ['{a="b"} | line_format "{{.x | default .y}}"', 'must be constants'],
    ['rate_counter({a="b"} | unwrap x [1m])', 'rate_counter is not supported; supported are count_over_time'],
  ])('%s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

test.each([
  ['stages', `{a="b"}${' | x="1"'.repeat(200)}`, 'more than 100 stages and conditions'],
  ['line filters', `{a="b"}${'|="x"'.repeat(19_000)}`, 'parse error at line 1'],
  ['parentheses', `${'('.repeat(300)}1${')'.repeat(300)}`, 'nest deeper than 200 levels'],
  ['many parentheses', `${'('.repeat(40_000)}{a="b"}${')'.repeat(40_000)}`, 'nests deeper than 1000 levels'],
  ['operators', Array.from({ length: 20_000 }, () => '1').join('+'), 'nests deeper than 1000 levels'],
  ['operators', Array.from({ length: 250 }, () => '1').join('-'), 'more than 200 operators'],
])('too many %s', (_, text, message) => {
  expect(() => parse(text)).toThrow(message.replace('', ''));
});

/** The operators of an expression with parentheses around each. */
function showMetric(metric: unknown): string {
  const { kind, value, op, left, right } = metric as Readonly<Record<string, unknown>>;
  return kind === 'binary' ? `(${showMetric(left)} ${String(op)} ${showMetric(right)})` : String(value);
}

test.each([
  ['1 + 2 * 3', '(1 + (2 * 3))'],
  ['1 * 2 + 3', '((1 * 2) + 3)'],
  ['1 - 2 - 3', '((1 - 2) - 3)'],
  ['(1 - 2) * 3', '((1 - 2) * 3)'],
  ['1 - (2 - 3)', '(1 - (2 - 3))'],
  ['2 ^ 3 ^ 2', '(2 ^ (3 ^ 2))'],
  ['1 / 2 > bool 3 + 4', '((1 / 2) > (3 + 4))'],
  ['1 or 2 and 3 unless 4', '(1 or ((2 and 3) unless 4))'],
])('%s binds as %s', (text, expected) => {
  const query = parse(text);
  expect(query.kind === 'metric' && showMetric(query.metric)).toBe(expected);
});

test('stages after the range belong to it as well', () => {
  const [before, after] = ['rate({a="b"} |= "x" | json [1m])', 'rate({a="b"}[1m] |= "x" | json)'].map((text) => {
    const query = parse(text);
    return query.kind === 'metric' && query.metric.kind === 'range' && query.metric.log.stages.map(({ kind }) => kind);
  });
  expect(before).toEqual(['line', 'json']);
  expect(after).toEqual(before);
});
