import { describe, expect, test } from 'vitest';
import { findings, readExpr } from '../testing/check-syntax.js';
import { lineAndColumn } from '../model/diagnostics.js';
import { parseClock, parseDatetime } from './lexing/datetime.js';
import { parse } from './parse.js';
import { parseTimespan } from './lexing/timespan.js';

describe('numbers, booleans and nulls', () => {
  test.each([
    ['0', '0'],
    ['42', '42'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['0x1F', '31'],
    ['3.25', '3.25'],
    ['1e3', '1000.0'],
    ['2.5e-1', '0.25'],
    ['true', 'true'],
    ['false', 'false'],
    ['null', 'null:dynamic'],
    ['bool(null)', 'null:bool'],
    ['int(null)', 'null:long'],
    ['long(null)', 'null:long'],
    ['real(null)', 'null:real'],
    ['double(null)', 'null:real'],
    ['string(null)', 'null:string'],
    ['datetime(null)', 'null:datetime'],
    ['time(null)', 'null:timespan'],
    ['dynamic(null)', 'null:dynamic'],
    ['long(-7)', '-7'],
    ['real(3)', '3.0'],
    ['real(nan)', 'NaN'],
    ['real(-inf)', '-Infinity'],
    ['bool(1)', 'true'],
    ['typeof(int)', '(typeof long)'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));

  test.each([
    ['print bool(not true)', 'print bool(«not true» bool(…) holds a literal; to convert a value, use tobool(…)'],
    [
      "print timespan(not '1h')",
      "print timespan(«not '1h'» timespan(…) holds a literal; to convert a value, use totimespan(…)",
    ],
    [
      'print datetime(-"2024-01-15")',
      'print datetime(«-"2024-01-15"» a datetime has no sign; write it like datetime(2024-01-15)',
    ],
    [
      'print date(-date(2024-01-15))',
      'print date(«-date(2024-01-15)» a datetime has no sign; write it like date(2024-01-15)',
    ],
  ])('%s is no literal', (text, finding) => expect(findings(text)).toEqual([finding]));
});

describe('timespans are nanoseconds', () => {
  const second = 1_000_000_000n;
  test.each<[string, bigint]>([
    ['2d', 172_800n * second],
    ['1w', 604_800n * second],
    ['1.5h', 5400n * second],
    ['30m', 1800n * second],
    ['10min', 600n * second],
    ['3minutes', 180n * second],
    ['4hrs', 14_400n * second],
    ['0.1s', second / 10n],
    ['1sec', second],
    ['500ms', second / 2n],
    ['7milliseconds', 7_000_000n],
    ['5us', 5000n],
    ['5micros', 5000n],
    ['3ticks', 300n],
    ['9ns', 9n],
    ['1nano', 1n],
    ['0.0000000004s', 0n],
    ['timespan(15s)', 15n * second],
    ['time(0)', 0n],
    ["timespan('1h30m')", 5400n * second],
    ["timespan(-'1h')", -3600n * second],
    ["timespan(+'1h')", 3600n * second],
    ['time(02:03)', 7380n * second],
    ['time(1.02:03:04.5)', 93_784n * second + second / 2n],
    ['timespan(-1d)', -86_400n * second],
  ])('%s', (text, nanoseconds) => expect(readExpr(text)).toBe(`${nanoseconds}ns`));

  test.each(['', '5', '25:00', '1:60', '1x', '1h x', '400000d', '--1s'])('no timespan: %j', (text) =>
    expect(parseTimespan(text)).toBeUndefined(),
  );
});

describe('datetimes are nanoseconds since 1970, UTC', () => {
  const at = (iso: string): bigint => BigInt(Date.parse(iso)) * 1_000_000n;
  test.each<[string, bigint]>([
    ['2024-02-29', at('2024-02-29T00:00:00Z')],
    ['2024-1-5', at('2024-01-05T00:00:00Z')],
    ['2024-01-15T10:30', at('2024-01-15T10:30:00Z')],
    ['2024-01-15 10:30:15', at('2024-01-15T10:30:15Z')],
    ['2024-01-15T10:30:15Z', at('2024-01-15T10:30:15Z')],
    ['2024-01-15T10:30:15.123456789Z', at('2024-01-15T10:30:15Z') + 123_456_789n],
    ['2024-01-15T10:30:15+02:00', at('2024-01-15T08:30:15Z')],
    ['2024-01-15T10:30:15 -0530', at('2024-01-15T16:00:15Z')],
    ['1969-12-31T23:59:59.5Z', -500_000_000n],
    ['1677-09-21T00:12:43.145224192Z', -(2n ** 63n)],
    ['2262-04-11T23:47:16.854775807Z', 2n ** 63n - 1n],
  ])('%s', (text, nanoseconds) => {
    expect(parseDatetime(text)).toBe(nanoseconds);
    expect(readExpr(`datetime(${text})`)).toBe(`@${nanoseconds}`);
    expect(readExpr(`date( '${text}' )`)).toBe(`@${nanoseconds}`);
  });

  test('in any format that ingest reads, in quotes', () =>
    expect(readExpr("datetime('Mon, 15 Jan 2024 10:30:15 GMT')")).toBe(`@${at('2024-01-15T10:30:15Z')}`));

  test.each([
    ['10:30', 37_800_000_000_000n],
    ['9:30:00.5', 34_200_500_000_000n],
    ['23:59:59', 86_399_000_000_000n],
    ['24:00', undefined],
    ['10:60', undefined],
    ['10', undefined],
  ])('%s counts from the beginning of the day', (text, nanoseconds) => expect(parseClock(text)).toBe(nanoseconds));

  test.each([
    '',
    'now',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '0000-01-01',
    '2024-01-15T24:00',
    '2024-01-15T10:60',
    '2024-01-15T10',
    '10000-01-01',
    '2024-01-15Z',
    '1700000000',
    '10:30',
  ])('no datetime: %j', (text) => expect(parseDatetime(text)).toBeUndefined());

  test.each([
    '0001-01-01',
    '1677-09-21T00:12:43.145224191Z',
    '2262-04-11T23:47:16.854775808Z',
    '9999-12-31T23:59:59.999999999Z',
  ])('out of range: %s', (text) => {
    expect(parseDatetime(text)).toBeUndefined();
    expect(findings(`print datetime(${text})`)).toEqual([
      `print datetime(«${text}» ${text} is out of range; a datetime is between 1677-09-21T00:12:44Z and 2262-04-11T23:47:16Z`,
    ]);
  });
});

describe('strings', () => {
  test.each([
    [String.raw`"a\tb\n\\\"\'"`, String.raw`"a\tb\n\\\"'"`],
    [String.raw`'it\'s "so"'`, String.raw`"it's \"so\""`],
    [String.raw`"\u00e9\x41\U0001F600"`, '"éA😀"'],
    [String.raw`@"\d+\s"`, String.raw`"\\d+\\s"`],
    [`@'it''s'`, `"it's"`],
    ['@"say ""hi"""', String.raw`"say \"hi\""`],
    ['```one\ntwo "three"```', String.raw`"one\ntwo \"three\""`],
    ['h"secret"', '"secret"'],
    ['h@"se\\cret"', String.raw`"se\\cret"`],
    [`'// no comment | here'`, '"// no comment | here"'],
    ['"" // a comment', '""'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));

  test.each(['\n', '\r', '\r\n'])('%j ends a string that is not closed, and so its line', (mark) => {
    for (const open of ['"x', '@"x', "'x\\"]) {
      const text = `print a = ${open}${mark}| extend b = nosuch(a)`;
      const spans = parse(text).diagnostics.map(({ span }) => text.slice(span.start, span.end));
      expect(spans).toEqual([open]);
      expect(lineAndColumn(text, text.indexOf('nosuch'))).toEqual({ line: 2, column: 14 });
    }
  });

  test.each(['\u2028', '\u2029', '\v', '\f', '\u0085'])('%j is no line break', (mark) => {
    expect(readExpr(`"x${mark}y"`)).toBe(JSON.stringify(`x${mark}y`));
    expect(lineAndColumn(`a${mark}b`, 2)).toEqual({ line: 1, column: 3 });
  });

  // As in Kusto. Where texts follow each other without commas, they stay apart: options of redact,
  // terms of search, lines of print.
  test('adjacent strings are joined', () => {
    expect(readExpr('"a" "b" \'c\'')).toBe('"abc"');
    expect(findings('t | redact replaceToken="x" @"b"')).toEqual([]);
  });
});

describe('dynamic', () => {
  test.each([
    [`dynamic(["a", 'b', 1, -2.5, true, null, 5m])`, '(dynamic ["a" "b" 1 (- 2.5) true null:dynamic 300000000000ns])'],
    ['dynamic({"k": {"n": [1]}, "e": {}})', '(dynamic {"k":{"n":[1]} "e":{}})'],
    [`dynamic(['only'])`, '(dynamic ["only"])'],
    ['dynamic(7)', '(dynamic 7)'],
    ['dynamic([])', '(dynamic [])'],
    ['dynamic([status, strcat("x", [\'geo.city\'])])', `(dynamic [status (strcat "x" 'geo.city')])`],
    ['dynamic([datetime(2024-01-15)])', '(dynamic [@1705276800000000000])'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));
});
