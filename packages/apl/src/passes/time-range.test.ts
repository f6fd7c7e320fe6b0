import { describe, expect, it } from 'vitest';
import { printQuery } from '@millrace/sql';
import type { CompileOptions } from '../compiled-query.js';
import { allTimes } from '../lower/relations/scan.js';
import { parseDatetime } from '../syntax/lexing/datetime.js';
import { compileOrThrow, testNow, testOptions } from '../testing/compile-text.js';
import { catalogWithoutTable } from '../testing/tableless.js';

const catalog = catalogWithoutTable('logs', { id: 'long', other: 'datetime' });
const hour = 3_600_000_000_000n;
const start = testNow - hour;
const givenRange = { start: testNow - hour, end: testNow, given: { start: true, end: true } };

/**
 * The range that a query reads, as offsets from now in hours; a nanosecond more or less is written
 * `+` or `-`.
 */
const rangeOf = (text: string, options: Partial<CompileOptions> = {}): string => {
  const { timeRange } = compileOrThrow(text, { catalog, ...options });
  const offset = (time: bigint): string => {
    const sign =
      (time - testNow) % hour === 1n || (time - testNow) % hour === 1n - hour
        ? '+'
        : (time - testNow + 1n) % hour === 0n
          ? '-'
          : '';
    const rounded = sign === '+' ? time - 1n : sign === '-' ? time + 1n : time;
    return `${Number(rounded - testNow) / Number(hour)}${sign}`;
  };
  return `${offset(timeRange.start)} .. ${offset(timeRange.end)}`;
};

describe('the time range of a scan', () => {
  it.each([
    ['of the request', 'logs', '-1 .. 0'],
    ['begins where the query says', 'logs | where _time >= ago(3h)', '-3 .. 0'],
    ['excludes what the query excludes', 'logs | where _time > ago(3h) and _time < ago(2h)', '-3+ .. -2-'],
    ['of a moment', 'logs | where _time == ago(2h)', '-2 .. -2'],
    ['with the constant on the left', 'logs | where ago(3h) <= _time', '-3 .. 0'],
    ['of between', 'logs | where _time between (ago(5h) .. ago(4h))', '-5 .. -4'],
    ['of several filters', 'logs | where _time > ago(9h) | where id == 1 | where _time >= ago(3h)', '-3 .. 0'],
    ['from a text', 'logs | where _time >= "2024-06-15T10:00:00Z"', '-2 .. 0'],
    ['past extend and sort', 'logs | extend t = _time | sort by id | where t >= ago(2h)', '-2 .. 0'],
    ['not past what looks at other rows', 'logs | serialize p = prev(id) | where _time >= ago(9h)', '-1 .. 0'],
    ['not past a condition on other rows', 'logs | where prev(id) == 1 | where _time >= ago(9h)', '-1 .. 0'],
    ['not beside a condition on other rows', 'logs | where prev(id) == 1 and _time >= ago(9h)', '-1 .. 0'],
    ['not past an order by other rows', 'logs | sort by prev(id) | where _time >= ago(9h)', '-1 .. 0'],
    ['not past a limit', 'logs | take 5 | where _time >= ago(9h)', '-1 .. 0'],
    ['not from other columns', 'logs | where other >= ago(9h)', '-1 .. 0'],
    ['not from alternatives', 'logs | where _time >= ago(9h) or id == 1', '-1 .. 0'],
    ['not from what is only computed', 'logs | where bin(_time, 1h) >= ago(9h)', '-1 .. 0'],
    ['through a union', 'union logs, (logs | where id == 1) | where _time >= ago(4h)', '-4 .. 0'],
    [
      'through a union, of all columns that are the time',
      'union (logs | extend t = _time), (logs | extend t = _time) | where t >= ago(4h) and _time < now() + 3h',
      '-4 .. 3-',
    ],
    ['as far as any part of a union reads', 'union (logs | where _time >= ago(4h)), logs', '-4 .. 0'],
  ])('%s', (_, text, range) => expect(rangeOf(text)).toBe(range));

  it('stays within the requested range', () => {
    expect(rangeOf('logs | where _time >= ago(3h)', { range: givenRange })).toBe('-1 .. 0');
    expect(rangeOf('logs | where _time >= ago(0.5h)', { range: givenRange })).toBe('-0.5 .. 0');
  });

  it('has an implicit end only if the query sets none', () => {
    const codes = (text: string, options: Partial<CompileOptions> = {}): readonly string[] =>
      compileOrThrow(text, { catalog, ...options }).diagnostics.map((d) => d.code);
    expect(codes('logs | where _time > ago(2h)')).toEqual(['implicit_end']);
    expect(codes('logs | where _time > ago(2h) and _time < now()')).toEqual([]);
    expect(codes('logs | where _time > ago(2h)', { range: givenRange })).toEqual([]);
    expect(codes('logs')).toEqual([]);
  });

  it('ends at that implicit end, not at the last time an event can have', () => {
    const open = { ...allTimes, given: { start: false, end: false } };
    expect(rangeOf('logs | where _time >= ago(2h)', { range: open })).toBe('-2 .. 0');
    expect(rangeOf('logs | where _time >= ago(2h)', { range: open, impliedEnd: testNow + hour })).toBe('-2 .. 1');
    const { start } = givenRange;
    const begun = { start, end: allTimes.end, given: { start: true, end: false } };
    expect(compileOrThrow('logs', { catalog, range: begun }).timeRange.end).toBe(allTimes.end);
  });

  it('is a condition on the bare column, which prunes partitions', () =>
    expect(printQuery(compileOrThrow('logs | project id', { catalog }).query)).toContain(
      `WHERE and(greaterOrEquals(\`_time\`, fromUnixTimestamp64Nano(toInt64(${start}), 'UTC')), ` +
        `lessOrEquals(\`_time\`, fromUnixTimestamp64Nano(toInt64(${testNow}), 'UTC')))`,
    ));

  it.each([
    ['is all that is asked of it', 'logs | where _time >= ago(3h) and _time < ago(2h) | count', 2],
    ['is asked beside other conditions', 'logs | where id == 1 and _time >= ago(3h) and id != 7 | count', 2],
    ['is not all of a condition with alternatives', 'logs | where _time >= ago(3h) or id == 1 | count', 3],
    ['is asked beside what looks at other rows', 'logs | where row_number() > 1 and _time >= ago(0.5h)', 3],
    ['is not that behind a limit', 'logs | take 5 | where _time >= ago(0.5h)', 3],
    ['is not that of a row without a partner', 'logs | join kind=leftouter logs on id | where _time1 >= ago(3h)', 5],
  ])('%s', (_, text, comparisons) => {
    const sql = printQuery(compileOrThrow(text, { catalog }).query);
    expect(sql.match(/(less|greater)(OrEquals)?\([^,]*_time/g)).toHaveLength(comparisons);
  });

  it('also applies to pipelines in expressions', () =>
    expect(
      printQuery(
        compileOrThrow('logs | where id in ((logs | where _time >= ago(7h) | project id))', { catalog }).query,
      ),
    ).toContain(`toInt64(${testNow - 7n * hour})`));

  it('equals the range of the request if no dataset is read', () =>
    expect(compileOrThrow('print 1').timeRange).toEqual({
      start: testOptions.range.start,
      end: testOptions.range.end,
    }));

  it('is empty beyond the last and before the first moment', () => {
    const [first, last] = ['1677-09-21T00:12:43.145224192Z', '2262-04-11T23:47:16.854775807Z'];
    const { start } = compileOrThrow(`logs | where _time > datetime(${last})`, { catalog }).timeRange;
    expect([start, compileOrThrow(`logs | where _time < datetime(${first})`, { catalog }).timeRange.end]).toEqual([
      parseDatetime(last),
      parseDatetime(first),
    ]);
  });

  it('reads datetimes of all years', () =>
    expect(compileOrThrow('logs | where _time >= datetime(1700-01-01)', { catalog }).timeRange.start).toBe(
      parseDatetime('1700-01-01'),
    ));
});
