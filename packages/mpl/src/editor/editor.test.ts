import { describe, expect, test } from 'vitest';
import { complete } from './complete.js';
import { diagnose } from './diagnose.js';
import {
  withAlignment,
  withBucket,
  withCondition,
  withGrouping,
  withoutCondition,
  alignmentOf,
  groupingOf,
} from './edits.js';
import { hover } from './hover.js';
import { outline } from './outline.js';
import { valuePlaceAt } from './place.js';
import { conditionText } from './write.js';

const knownMetrics = {
  datasets: ['metrics', 'my-metrics'],
  metrics: [
    { name: 'cpu', detail: 'Gauge' },
    { name: 'http.requests', detail: 'Counter' },
  ],
  tags: ['host', 'http.route'],
};
const now = 1_790_000_000_000;

/** Splits a text at its cursor. */
const at = (marked: string): readonly [text: string, offset: number] => [marked.replace('¦', ''), marked.indexOf('¦')];

describe('completion', () => {
  const completeMarked = (marked: string) => complete(...at(marked), knownMetrics);
  test.each([
    ['¦', ['metrics:', '`my-metrics`:']],
    ['my¦', ['`my-metrics`:']],
    ['metrics:¦', ['cpu', '`http.requests`']],
    ['metrics:`ht¦', ['`http.requests`']],
    ['metrics:cpu | w¦', ['where ']],
    ['metrics:cpu | where ¦', ['host', '`http.route`', 'not ']],
    ['metrics:cpu | where host == "a" ¦', ['and ', 'or ']],
    ['metrics:cpu | align to ¦', ['$__interval ', '10s ', '30s ', '1m ', '5m ', '15m ', '1h ', '1d ']],
    ['metrics:cpu | align to 5m using prom::¦', ['prom::rate']],
    ['metrics:cpu | align to 5m using m¦', ['min', 'max', 'sum', 'prom::rate']],
    ['metrics:cpu | group by ¦', ['host', '`http.route`']],
    ['metrics:cpu | group ¦', ['by ', 'using ']],
    ['metrics:cpu | map fill::c¦', ['fill::const(0)']],
    ['(metrics:cpu, metrics:cpu) | compute x using av¦', ['avg']],
    ['metrics:cpu // ¦', []],
    ['metrics:cpu | where host == "a¦', []],
  ])('%s', (marked, inserts) => {
    expect(completeMarked(marked).map(({ insertText }) => insertText)).toEqual(inserts);
  });

  test('a backquoted name is replaced as a whole', () => {
    const [text, offset] = at('metrics:`http.¦` | align using last');
    expect(complete(text, offset, knownMetrics).map(({ range }) => text.slice(range.start, range.end))).toEqual([
      '`http.`',
    ]);
  });
});

test.each([
  ['metrics:cpu | where host == ¦', { tag: 'host', typed: '' }],
  ['metrics:cpu | where `http.route` != "/c¦"', { tag: 'http.route', typed: '/c' }],
  ['metrics:cpu | where host in ["a", "b¦', { tag: 'host', typed: 'b' }],
  ['metrics:cpu | where host ¦', undefined],
  ['metrics:cpu | align ¦', undefined],
])('the place of a value: %s', (marked, expected) => {
  const found = valuePlaceAt(...at(marked));
  expect(found && { tag: found.tag, typed: found.typed }).toEqual(expected);
});

describe('hover', () => {
  test.each([
    ['metrics:c¦pu', 'Gauge'],
    ['metrics:cpu | al¦ign using avg', 'One value per window'],
    ['metrics:cpu | align using prom::ra¦te', 'Increase of a counter per second'],
    ['metrics:cpu | align using pro¦m::rate', 'Increase of a counter per second'],
    ['metrics:cpu | align using prom:¦:rate', 'Increase of a counter per second'],
    ['metrics:cpu | where host con¦tains "a"', 'an array with this element'],
    ['metrics:cpu | group using s¦um', 'Sum of the series'],
  ])('%s', (marked, says) => {
    expect(hover(...at(marked), knownMetrics)?.markdown).toContain(says);
  });

  test.each(['metrics:cpu | align using ¦5m', '¦', 'metrics:cpu |¦'])('nothing: %s', (marked) => {
    expect(hover(...at(marked), knownMetrics)).toBeUndefined();
  });
});

describe('findings', () => {
  const diagnoseText = (text: string) => diagnose(text, knownMetrics, { now });
  test('a query without mistakes has none, with and without a range in it', () => {
    expect(diagnoseText('metrics:cpu | align to 1m using avg')).toEqual([]);
    expect(diagnoseText('metrics:cpu[1h..] | align to 1m using avg')).toEqual([]);
  });

  test.each([
    ['metrics:cpuu', "'cpuu' is not a metric of this time range", 'cpu'],
    ['metrcs:cpu', "'metrcs' is not a dataset of metrics", 'metrics'],
    ['metrics:cpu | align using avgg', "'avgg' is not a function of align", 'avg'],
    ['metrics:cpu | where host = "a"', "'=' does not compare", '=='],
  ])('%s', (text, message, replacement) => {
    const [finding] = diagnoseText(text);
    expect(finding!.message).toContain(message);
    expect(finding!.fixes[0]!.edits[0]!.newText).toBe(replacement);
  });
});

describe('edits by click', () => {
  const text = 'metrics:cpu // load\n| where host == "a" and port > 80\n| align to 1m using avg\n| group using sum';
  const parts = outline(text)!;

  test('the outline has the parts of a query', () => {
    expect(parts).toMatchObject({ dataset: { text: 'metrics' }, metric: { text: 'cpu' }, hasRange: false });
    expect(parts.filters.map(({ span }) => text.slice(span.start, span.end))).toEqual(['host == "a"', 'port > 80']);
    expect(alignmentOf(parts)).toMatchObject({ fn: 'avg', width: '1m' });
    expect(groupingOf(parts)).toMatchObject({ fn: 'sum', by: [] });
  });

  test.each(['metrics:cpu | algn', '(metrics:cpu, metrics:cpu) | compute a using +', ''])('no outline: %s', (other) => {
    expect(outline(other)).toBeUndefined();
  });

  test('comments and other steps stay', () => {
    expect(withCondition(text, parts, conditionText('http.route', '=~', '^/a/b'))).toBe(
      text.replace('\n| align', '\n| where `http.route` == #/^\\/a\\/b/\n| align'),
    );
    expect(withAlignment(text, parts, { fn: 'prom::rate', width: '$__interval' })).toBe(
      text.replace('align to 1m using avg', 'align to $__interval using prom::rate'),
    );
    expect(withGrouping(text, parts, { fn: 'max', by: ['host', 'http.route'] })).toBe(
      text.replace('group using sum', 'group by host, `http.route` using max'),
    );
    expect(withGrouping(text, parts, undefined)).toBe(text.replace('\n| group using sum', ''));
  });

  test('conditions go with their `and` or their step', () => {
    const [first, second] = parts.filters;
    expect(withoutCondition(text, parts, first!.span)).toContain('| where port > 80\n');
    const one = withoutCondition(text, parts, second!.span);
    expect(one).toContain('| where host == "a"\n');
    expect(withoutCondition(one, outline(one)!, outline(one)!.filters[0]!.span)).toBe(
      'metrics:cpu // load\n| align to 1m using avg\n| group using sum',
    );
  });

  test('quantiles replace alignment and grouping, and back', () => {
    const call = 'interpolate_cumulative_histogram(rate, 0.5, 0.99)';
    const quantiles = withBucket(text, parts, { call, width: '1m', by: ['host'] });
    expect(quantiles).toBe(
      `metrics:cpu // load\n| where host == "a" and port > 80\n| bucket by host to 1m using ${call}`,
    );
    expect(withAlignment(quantiles, outline(quantiles)!, { fn: 'avg', width: '5m' })).toContain(
      '| align to 5m using avg\n| group by host using sum',
    );
  });
});
