import { describe, expect, it } from 'vitest';
import { printQuery } from '@millrace/sql';
import type { CompileOptions } from '../compiled-query.js';
import { compileOrThrow, testNow } from '../testing/compile-text.js';
import { catalogWithoutTable } from '../testing/tableless.js';
import { automaticSize } from './bins.js';

const catalog = catalogWithoutTable('logs', { id: 'long', method: 'string', duration: 'real', big: 'string' });
const result = (text: string, options: Partial<CompileOptions> = {}): ReturnType<typeof compileOrThrow> =>
  compileOrThrow(text, { catalog, ...options });
const sql = (text: string, options: Partial<CompileOptions> = {}): string =>
  printQuery(result(text, options).query).replace(/ SETTINGS [^)]*/g, '');
const hour = 3_600_000_000_000n;

describe('pruning', () => {
  it.each([
    ['columns of tables', 'logs | project id', ['id#x'], ['big#x', 'duration#x', '_sysTime']],
    ['computed columns', 'logs | extend x = strlen(big) | project id', ['id#x'], ['big#x']],
    [
      'aggregates',
      'logs | summarize count(), sum(duration) by method | project method, count_',
      ['method#x'],
      ['duration#x'],
    ],
    ['columns of unions', 'union logs, logs | project id', ['id#x'], ['big#x']],
    ['columns of joins', 'logs | join (logs) on id | project method', ['id#x', 'method#x'], ['big#x']],
    ['everything for a count', 'logs | count', ['count()'], ['id#x', 'big#x']],
  ])('%s', (_, text, present, absent) => {
    const query = sql(text);
    for (const name of present) expect(query).toContain(name);
    for (const name of absent) expect(query).not.toContain(name);
  });
});

describe('merging into one select', () => {
  const selects = (text: string): number => sql(text).split('SELECT').length - 1;
  it.each([
    [
      'filters and columns',
      'logs | where id > 1 | extend x = id + 1 | where x < 9 | project x | sort by x | take 3',
      1,
    ],
    ['what follows an aggregation', 'logs | summarize n = count() by method | extend m = n * 2 | sort by m', 1],
    ['but not a filter after an aggregation', 'logs | summarize n = count() by method | where n > 1 | sort by n', 2],
    ['but not a filter after a limit', 'logs | take 3 | where id > 1', 2],
    ['but not a sort after a limit', 'logs | take 3 | sort by id', 2],
    ['but not an aggregation of an aggregation', 'logs | summarize n = count() by method | summarize max(n)', 2],
    ['but not a limit into what is counted', 'logs | take 3 | count', 2],
  ])('%s', (_, text, count) => expect(selects(text)).toBe(count));

  it('names long expressions instead of repeating them', () => {
    const steps = Array.from({ length: 12 }, () => 'extend id = id + id * id').join(' | ');
    expect(sql(`logs | ${steps} | project id`).length).toBeLessThan(20_000);
  });

  it('writes the text of parse-kv once for all keys', () => {
    const text = 'tostring(ipv6_compare(method, "::1"))';
    const once = sql(`logs | project text = ${text}`).length;
    expect(sql(`logs | parse-kv ${text} as (a, b:long, c:bool)`).length).toBeLessThan(1.5 * once);
  });
});

describe('unions', () => {
  it('filter and limit in their parts', () => {
    const query = sql("union logs, (logs | where id == 2) | where method == 'x' | project id | take 5");
    expect(query.split("equals(`method#x`, 'x')").length - 1).toBe(2);
    expect(query.split('LIMIT 5').length - 1).toBe(3);
  });

  it('have no limits in their parts where rows are sorted otherwise', () =>
    expect(sql('union logs, logs | sort by id | take 5').split('LIMIT 5').length - 1).toBe(1));
});

describe('limits', () => {
  it.each([
    ['the default for events', 'logs', ' LIMIT 1000', { limit: 1000, reason: 'default', rowPerMatch: true }],
    ['one of the query', 'logs | take 7', ' LIMIT 7', undefined],
    [
      'the maximum for one of the query',
      'logs | take 70000',
      ' LIMIT 50000',
      { limit: 50_000, reason: 'maximum', rowPerMatch: true },
    ],
    [
      'the maximum for groups',
      'logs | summarize count() by id',
      ' LIMIT 50000',
      { limit: 50_000, reason: 'maximum', rowPerMatch: false },
    ],
    ['none for one row', 'logs | summarize count()', '', undefined],
    ['none for literal rows', 'print 1', '', undefined],
    [
      'the default again after an expansion',
      'logs | take 2 | mv-expand x = dynamic([1, 2])',
      ' LIMIT 1000',
      { limit: 1000, reason: 'default', rowPerMatch: false },
    ],
    [
      'of a union the rows that match',
      'logs | where id > 1 | extend x = id | sort by x | union logs',
      ' LIMIT 1000',
      { limit: 1000, reason: 'default', rowPerMatch: true },
    ],
    [
      'of a union of limited rows others than match',
      'logs | take 600 | union logs',
      ' LIMIT 1000',
      { limit: 1000, reason: 'default', rowPerMatch: false },
    ],
    [
      'of a sample fewer rows than match',
      'logs | sample 0.5',
      ' LIMIT 1000',
      { limit: 1000, reason: 'default', rowPerMatch: false },
    ],
    [
      'of filtered rows of a limit other ones than match',
      'logs | take 60000 | where id > 1',
      ' LIMIT 50000',
      { limit: 50_000, reason: 'maximum', rowPerMatch: false },
    ],
  ])('%s', (_, text, clause, applied) => {
    const { limitApplied } = result(text);
    expect(sql(text).match(/ LIMIT \d+$/)?.[0] ?? '').toBe(clause);
    expect(limitApplied).toEqual(applied);
  });
});

describe('automaticSize', () => {
  it.each([
    [hour, 300, 15n],
    [hour, 3600, 1n],
    [24n * hour, 300, 300n],
    [7n * 24n * hour, 300, 3600n],
    [0n, 300, 1n],
    [365n * 24n * hour, 3, 5n * 30n * 86_400n],
  ])('of %d ns in %d buckets', (length, max, seconds) =>
    expect(automaticSize({ start: 0n, end: length }, max)).toBe(seconds * 1_000_000_000n),
  );
});

describe('presentation', () => {
  it('of events', () =>
    expect(result('logs').presentation).toEqual({
      kind: 'events',
      order: [{ field: '_time', desc: true }],
      groups: [],
      range: { start: testNow - hour, end: testNow },
    }));

  it('of groups', () =>
    expect(result('logs | summarize avg(duration) by method').presentation).toEqual({
      kind: 'aggregation',
      order: [{ field: 'avg_duration', desc: true }],
      groups: ['method'],
      range: { start: testNow - hour, end: testNow },
    }));

  it('of a time series: snapped outward, with totals', () => {
    const { presentation, totals, output } = result(
      'logs | summarize count(), sum(duration) by bin(_time, 40m), method',
    );
    expect(presentation).toEqual({
      kind: 'timeseries',
      order: [
        { field: '_time', desc: false },
        { field: 'count_', desc: true },
      ],
      groups: ['_time', 'method'],
      bucket: { field: '_time', size: (2n * hour) / 3n },
      range: { start: testNow - (4n * hour) / 3n, end: testNow },
    });
    expect(output.map((column) => column.agg)).toEqual([
      undefined,
      undefined,
      { name: 'count' },
      { name: 'sum', fields: ['duration'] },
    ]);
    expect(totals?.output.map((column) => column.name)).toEqual(['method', 'count_', 'sum_duration']);
    expect(totals?.order).toEqual([{ field: 'count_', desc: true }]);
  });

  it.each([
    ['a renamed bin keeps the series', 'logs | summarize count() by t = bin(_time, 1h)', 'timeseries'],
    ['a column beside it too', 'logs | summarize n = count() by bin(_time, 1h) | extend m = n * 2', 'timeseries'],
    ['without the bin it is none', 'logs | summarize n = count() by bin(_time, 1h) | project n', 'aggregation'],
    [
      'a bin of another column is a group',
      'logs | extend t = _time + 1h | summarize count() by bin(t, 1h)',
      'aggregation',
    ],
    [
      'a second aggregation is none',
      'logs | summarize n = count() by bin(_time, 1h) | summarize max(n)',
      'aggregation',
    ],
  ])('%s', (_, text, kind) => expect(result(text).presentation.kind).toBe(kind));

  it('of arguments', () =>
    expect(result('logs | summarize topk(method, 3), round(avg(duration))').output.map((column) => column.agg)).toEqual(
      [{ name: 'topk', fields: ['method'], args: [3] }, { name: 'computed' }],
    ));

  it('of arguments whose names have dots', () => {
    const cities = catalogWithoutTable('logs', { 'geo.city': 'string', size: 'long' });
    const { output } = compileOrThrow('logs | summarize dcount(geo.city), sum(toint(size))', { catalog: cities });
    expect(output.map((column) => column.agg?.fields)).toEqual([['geo.city'], ['size']]);
  });
});

describe('paging', () => {
  const after = { time: testNow, seq: 7n, row: 3 };
  it('continues beyond an event in either direction', () => {
    expect(sql('logs | take 5', { paging: { after, inclusive: false } })).toContain(
      'less(tuple(`_time`, `_seq`, `_row`)',
    );
    expect(sql('logs | sort by _time asc | take 5', { paging: { after, inclusive: true } })).toContain(
      'greaterOrEquals(tuple(`_time`, `_seq`, `_row`)',
    );
  });

  it('means nothing in another order', () => {
    const { diagnostics, query } = result('logs | sort by id', { paging: { after, inclusive: false } });
    expect(diagnostics.map((d) => d.code)).toEqual(['note']);
    expect(printQuery(query)).not.toContain('tuple(`_time`');
  });

  it('has row ids for events, and for nothing else', () => {
    expect(result('logs | project id', { rowIds: true }).rowId).toEqual({ time: '@time', seq: '@seq', row: '@row' });
    expect(result('union logs, logs | project id', { rowIds: true }).rowId).toBeDefined();
    expect(result('logs | summarize count() by id', { rowIds: true }).rowId).toBeUndefined();
    expect(result('logs | mv-expand x = dynamic([1])', { rowIds: true }).rowId).toBeUndefined();
  });
});
