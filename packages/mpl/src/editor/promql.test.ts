import { describe, expect, test } from 'vitest';
import { asPromql } from './promql.js';

const now = 1_790_000_000_000;
const options = { now, range: { start: now - 3_600_000, end: now } };
const translate = (text: string) => {
  const found = asPromql(text, options);
  return found.kind === 'promql' ? found.text : found.message;
};

test.each([
  ['m:up', 'last_over_time(up[1m])'],
  ['m:up | align to 5m using avg', 'avg_over_time(up[5m])'],
  ['m:`http.requests` | align to 5m using prom::rate', 'rate({"http.requests"}[5m])'],
  ['m:count | align to 90s using max', 'max_over_time({"count"}[90s])'],
  ['m:up | offset -1w | align to 1m using last', 'last_over_time(up[1m] offset 7d)'],
  [
    'm:up | where host == "a\\"b" and port != 80 | align to 1m using sum',
    'sum_over_time(up{host="a\\"b", port!="80", port!=""}[1m])',
  ],
  ['m:up | where `service.name` == "x" | align to 1m using sum', 'sum_over_time(up{"service.name"="x"}[1m])'],
  [
    'm:up | where host == #/^web-[0-9]/ | align to 1m using sum',
    'sum_over_time(up{host=~".*(?:^web-[0-9]).*", host!=""}[1m])',
  ],
  ['m:up | where host in ["a.b", "c"] | align to 1m using sum', 'sum_over_time(up{host=~"a\\\\.b|c"}[1m])'],
  ['m:up | where host == "a" or host == "b" | align to 1m using sum', 'sum_over_time(up{host=~"a|b"}[1m])'],
  ['m:up | where not host == "a" | align to 1m using sum', 'sum_over_time(up{host!="a"}[1m])'],
  ['m:up | where not host in ["a", "b"] | align to 1m using sum', 'sum_over_time(up{host!~"a|b"}[1m])'],
  ['m:up | align to 1m using last | group by host, `a.b` using sum', 'sum by (host, "a.b") (last_over_time(up[1m]))'],
  ['m:up | align to 1m using last | group using count', 'count(last_over_time(up[1m]))'],
  [
    'm:up | align to 1m using last | map * -2 | map max(0) | map is::gt(1)',
    '(clamp_min((last_over_time(up[1m])) * -2, 0)) > bool 1',
  ],
  ['m:up | align to 1m using avg | align to 5m using max', 'max_over_time((avg_over_time(up[1m]))[5m:1m])'],
  [
    'm:up | align to 1m using avg | as load | extend env = "a$b"',
    'label_replace(avg_over_time(up[1m]), "env", "a$$b", "", "")',
  ],
  [
    'm:d | bucket by job to 5m using interpolate_cumulative_histogram(rate, 0.9)',
    'histogram_quantile(0.9, sum by (le, job) (rate(d{"axiom.histogram"="bucket"}[5m])))',
  ],
  [
    'm:d_bucket | bucket to 5m using interpolate_cumulative_histogram(increase, 0.5, 0.99)',
    'label_replace(histogram_quantile(0.5, sum by (le) (increase(d_bucket[5m]))), "spec", "p50", "", "") or label_replace(histogram_quantile(0.99, sum by (le) (increase(d_bucket[5m]))), "spec", "p99", "", "")',
  ],
  [
    '(m:a | align to 1m using sum, m:b | align to 1m using sum) | compute r using / | map * 100',
    '((sum_over_time(a[1m])) / (sum_over_time(b[1m]))) * 100',
  ],
])('%s', (text, expected) => expect(translate(text)).toBe(expected));

describe('what PromQL cannot express', () => {
  test.each([
    ['m:up[1h..]', 'PromQL takes its time range from the request'],
    ['m:up | sample 0.5', 'sample'],
    ['m:up | where port > 80', "'>'"],
    ['m:up | where port is int', 'types'],
    ['m:up | where host == "a" or port == 1', 'different tags'],
    ['m:up | where not (host == "a" and port == 1)', 'negate'],
    ['m:up | where tags contains "a"', 'lists'],
    ['m:up | align using avg', 'fixed width'],
    ['m:up | map rate', 'prom::rate'],
    ['m:up | align to 1m using last | map increase', 'prom::rate'],
    ['m:up | align to 1m using last | map fill::prev', 'gaps'],
    ['m:up | align to 1m using last | extend a = "${host}"', 'insert tags'],
    ['m:up | bucket to 1m using histogram(0.5)', 'several series'],
    ['m:d | bucket to 1m using interpolate_delta_histogram(count)', "'count'"],
    ['(m:a, m:b) | compute r using max', "'max'"],
    ['param $h: string; m:up | where host == $h', '$h'],
    ['m:up | wher', 'not a step'],
  ])('%s', (text, part) => {
    expect(asPromql(text, options)).toEqual({ kind: 'problem', message: expect.stringContaining(part) as string });
  });
});
