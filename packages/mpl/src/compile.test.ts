import { expect, it } from 'vitest';
import { printQuery } from '@millrace/sql';
import { compile, pointsStatement, seriesStatement } from './index.js';
import type { FetchNode } from './run/run.js';

const hour = 3_600_000;
const options = { now: 10 * hour, range: { start: 0, end: hour } };

const compileText = (text: string, params: Readonly<Record<string, string>> = {}) =>
  compile(text, { ...options, params });

function planOf(text: string, params?: Readonly<Record<string, string>>) {
  const result = compileText(text, params);
  if (result.kind === 'failed') throw new Error(result.diagnostics.map(({ message }) => message).join('; '));
  return result.plan;
}

const fetchOf = (text: string): FetchNode => {
  const { root } = planOf(text);
  if (root.kind !== 'fetch') throw new Error('not a single source');
  return root;
};

it.each([
  'a:b',
  '`k8s-metrics`:`http.server.duration`',
  'a:b as c',
  'a:b | sample 0.5 | where host == "x" | align to 5m using avg',
  'a:b | offset -1w | where not (host == "x" or port >= 500 and up == true)',
  'a:b | where host == #/web-\\d+/ | where code is int | where zone in ["a", "b"] | where roles contains "db"',
  'a:b | filter host != "x"',
  'a:b | map rate | group by host, zone using sum | map * 100',
  'a:b | map - -5 | map filter::gt(0) | map is::le(1) | map interpolate::linear',
  'a:b | align using last',
  'a:b | align to $__interval using prom::rate',
  'a:b | bucket by host to 1m using interpolate_cumulative_histogram(rate, 0.5, 0.99, count)',
  'a:b | bucket using histogram(0.5, min, max)',
  'a:b | group using sum | extend team = "core", url = "http://${host}"',
  '(a:b | map rate, a:c | map rate) | compute ratio using / | map * 100',
  '((a:b, a:c) | compute x using +, a:d) | compute y using -',
  'set custom_unit = "By"; a:b',
  '// a comment\na:b // another one\n| as c',
  'a:größe | where café == "x"',
])('accepts %s', (text) => {
  expect(compileText(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it.each([
  ['a', 1, "expected ':' between dataset and metric, found the end of the query"],
  ['a:b | where host = "x"', 17, "'=' does not compare; write '=='"],
  ['a:b | algin to 5m using avg', 6, "'algin' is not a step; did you mean 'align'?"],
  ['a:b | align to 5m using avrg', 24, "'avrg' is not a function of align; did you mean 'avg'?"],
  ['a:b | align to 5m using avg | where x == 1', 30, 'filters stand before all other steps: expected another step'],
  ['a:b | align to 100ms using avg', 15, 'a window is at least one second long'],
  ['a:b | map min', 10, 'min takes one number, found 0'],
  ['a:b | join c', 6, "'join' is not supported"],
  ['a:b | where host == "x', 20, 'the string does not end; add a quote'],
  ['a:b | where host == #/[/', 20, 'the regular expression is not valid'],
  ['a:b | where host == $x', 20, 'the parameter $x is not declared'],
  ['a:b | group by host using sum | group by zone using sum', 41, "an earlier group dropped the tag 'zone'"],
  ['a:b | extend x = 1 | map abs', 21, 'extend comes after all other steps'],
  ['(a:b, c:d) | compute e using +', 6, 'a query reads a single dataset'],
  ['a:b | bucket using interpolate_cumulative_histogram(0.5)', 19, 'needs rate or increase'],
  ['a:b | bucket using interpolate_delta_histogram(2)', 47, 'a quantile is between 0 and 1'],
  ['a:b[1h..]', 3, 'Time is provided both in the query and as a parameter'],
  ['a:b | group by http.route using sum', 19, "names with '.' stand in backquotes"],
  ['a:b | where \u{1F600} == 1', 12, "the character '\u{1F600}' has no meaning here"],
  ['param $x: string; a:b | where y == $x', 6, 'the parameter $x has no value'],
  ['param $__x: string; a:b', 6, "names of parameters cannot begin with '__'"],
])('refuses %s', (text, place, message) => {
  const { kind, diagnostics } = compileText(text);
  expect(kind).toBe('failed');
  const [first] = diagnostics;
  expect(first!.message).toContain(message);
  expect(first!.span.start).toBe(place);
});

it('a reserved parameter may be declared by the program that sends its value', () => {
  const text = 'param $__interval: duration; a:b | align to $__interval using avg';
  expect(planOf(text, { __interval: '90s' }).root.steps).toEqual([{ kind: 'align', width: 90_000, fn: 'avg' }]);
});

it('reports mistakes of several steps', () => {
  const { diagnostics } = compileText('a:b | where x = 1 | algin to 5m using avg | map rtae | bucket');
  expect(diagnostics.length).toBeGreaterThanOrEqual(3);
});

it('offers the likely word as a fix', () => {
  const { diagnostics } = compileText('a:b | align to 5m using avrg');
  expect(diagnostics[0]!.fix).toEqual({ title: "Write 'avg'", replacement: 'avg' });
});

it('puts parameters into filters, and warns about undeclared ones', () => {
  const declared = 'param $host: string; param $codes: Option<array>; a:b | where host == $host';
  const text = `${declared} | ifdef($codes) { where code in $codes } else { where code is int }`;
  expect(planOf(text, { host: '"x"' }).root).toMatchObject({
    filter: { kind: 'and', parts: [{ value: { type: 'string', value: 'x' } }, { kind: 'is', type: 'int' }] },
  });
  expect(planOf(text, { host: '"x"', codes: '[500]' }).root).toMatchObject({
    filter: { parts: [{}, { kind: 'in', values: [{ type: 'int', value: 500 }] }] },
  });
  expect(compileText(text, { host: '5' }).kind).toBe('failed');
  expect(compileText('a:b', { more: '1' }).diagnostics[0]!.message).toBe(
    'These params were provided but not declared: $more',
  );
});

it('takes the time range of the text if the request has none', () => {
  const rangeOf = (range: string) => {
    const result = compile(`a:b${range}`, { now: 10 * hour });
    return result.kind === 'compiled' && result.plan.root.kind === 'fetch' ? result.plan.root.range : result.kind;
  };
  expect(rangeOf('[1h..]')).toEqual({ start: 9 * hour, end: 10 * hour });
  expect(rangeOf('[3600..+30m]')).toEqual({ start: hour, end: 1.5 * hour });
  expect(rangeOf('[-1h..1970-01-01T05:00:00Z]')).toEqual({ start: 4 * hour, end: 5 * hour });
  expect(rangeOf('[-1h..+1h]')).toBe('failed');
  expect(rangeOf('')).toBe('failed');
});

it('never throws, whatever the text is', () => {
  const whole =
    'set custom_unit = "x"; param $p: Option<Regex>; (a:`b c`[1h..+5m] | offset -1w | sample 0.5 ' +
    '| ifdef($p) { where x == $p } | where not (y in ["a\\n", 5.5e3, inf] or z is bool) | map - 5, a:c) | compute d using / | extend e = "${f}"';
  for (let i = 0; i <= whole.length; i += 2) {
    expect(() => compile(whole.slice(0, i), options)).not.toThrow();
    expect(() => compile(whole.slice(0, i) + '"' + whole.slice(i), options)).not.toThrow();
    expect(() => compile(whole.slice(i), options)).not.toThrow();
  }
  expect(compile('('.repeat(100_000), options).kind).toBe('failed');
  expect(compile(`a:b | where ${'('.repeat(100_000)}`, options).kind).toBe('failed');
  expect(compile(`a:b | where x in ${'['.repeat(100_000)}`, options).kind).toBe('failed');
});

it('reads series and points with SQL', () => {
  const from = { kind: 'table', database: 'millrace', name: 'd1' } as const;
  const fetch = fetchOf('a:b | where host == "x\'y" and code >= 500 | align to 1m using avg');
  const range = { start: 0, end: hour };
  expect(printQuery(seriesStatement(fetch, range, from))).toMatchInlineSnapshot(
    `"SELECT toString(\`series#i\`), argMax(\`tags#s\`, \`_seq\`), argMax(\`type#s\`, \`_seq\`), argMax(\`temporality#s\`, \`_seq\`), argMax(\`unit#s\`, \`_seq\`), argMax(\`metric#s\`, \`_seq\`) FROM \`millrace\`.\`d1\` WHERE and(and(equals(\`record#s\`, 'series'), and(greaterOrEquals(\`_time\`, fromUnixTimestamp64Milli(toInt64(0), 'UTC')), less(\`_time\`, fromUnixTimestamp64Milli(toInt64(86400000), 'UTC')))), equals(\`metric#s\`, 'b'), and(equals(JSONExtractString(\`tags#s\`, 'host'), 'sx\\'y'), and(or(startsWith(JSONExtractString(\`tags#s\`, 'code'), 'i'), startsWith(JSONExtractString(\`tags#s\`, 'code'), 'f')), greaterOrEquals(toFloat64OrZero(substring(JSONExtractString(\`tags#s\`, 'code'), 2)), 500.0)))) GROUP BY \`series#i\` LIMIT 50001"`,
  );
  expect(printQuery(pointsStatement(fetchOf('a:b'), range, from))).toMatch(
    /ORDER BY `series#i`[^,]*, `_time`[^,]*, `_seq`[^,]*, `_row`.* LIMIT 2000001/,
  );
});
