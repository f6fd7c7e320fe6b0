import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { encodeCsv } from '../encode-csv.js';
import { options, rowsOf } from '../testing/encode.js';
import { readHeader } from './header.js';
import { comma, csvDelimiter, CsvDelimiterError, CsvHeaderError, parseHeaderFields } from './index.js';
import { withRows } from './rows.js';

const header = (text: string, maxColumns = 100): readonly string[] =>
  withRows(Buffer.from(text), comma, (rows) => readHeader(rows, maxColumns)).names;

describe('the header row', () => {
  it('has a limited number of columns', () => {
    expect(header('a,b,c', 3)).toEqual(['a', 'b', 'c']);
    expect(() => header('a,b,c,d', 3)).toThrow(CsvHeaderError);
  });

  it.each([
    ['a,b', ['a', 'b']],
    ['foo\nbar\nbaz', ['foo']],
    [' user, name \r\nx', ['user', 'name']],
    ['\u{feff}"a b","c,d"', ['a b', 'c,d']],
    ['"say ""hi""",é', ['say "hi"', 'é']],
    ['\n\na,b', ['a', 'b']],
    ['a,b,, ', ['a', 'b', 'column_3', 'column_4']],
    [' , \nx', ['column_1', 'column_2']],
    ['a,,b', ['a', 'column_2', 'b']],
    [',b', ['column_1', 'b']],
    ['id,id,id', ['id', 'id_2', 'id_3']],
    ['id,id,id_2', ['id', 'id_3', 'id_2']],
    ['id,id_2,id', ['id', 'id_2', 'id_3']],
    ['a,,column_2', ['a', 'column_2_2', 'column_2']],
    ['A,a', ['A', 'a']],
    ['', []],
  ])('%j', (text, names) => expect(header(text)).toEqual(names));

  it('bounds the rows that follow', () => {
    const { failures } = encodeCsv(Buffer.from('a,b\n1,2,\n1\n1,2,3\n'), { delimiter: comma }, options());
    expect(failures.map(({ index, error }) => [index, error])).toEqual([
      [2, 'event 2, line 4: expected at most 2 cells, found 3'],
    ]);
  });

  it.each<readonly [string, readonly Record<string, string>[]]>([
    [
      'a,b,\n1,2,3\n4,5,\n6,,""\n',
      [
        { 'a#s': '1', 'b#s': '2', 'column_3#s': '3' },
        { 'a#s': '4', 'b#s': '5' },
        { 'a#s': '6', 'b#s': '' },
      ],
    ],
    ['a,,\n1,2,\n', [{ 'a#s': '1', 'column_2#s': '2' }]],
    [',\n1,2\n', [{ 'column_1#s': '1', 'column_2#s': '2' }]],
  ])('has columns without a name at its end only where cells hold something: %j', (text, rows) => {
    const result = encodeCsv(Buffer.from(text), { delimiter: comma }, options());
    expect([rowsOf(result), result.failures]).toEqual([rows, []]);
  });

  it.each([
    ['a,"b', 'CSV header, line 1: the quoted value in cell 2 is never closed'],
    ['a,b,c', 'CSV header, line 1: expected at most 2 cells, found 3'],
  ])('%j is refused', (text, reason) => {
    expect(() => header(text, 2)).toThrow(CsvHeaderError);
    expect(() => header(text, 2)).toThrow(reason);
  });

  it('numbers many equal names without delay', () => {
    const names = header(`${'a,'.repeat(49_999)}a`, 100_000);
    expect([names.length, names.at(-1)]).toEqual([50_000, 'a_50000']);
  });
});

describe('column names sent apart', () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['time', ['time']],
    ['a, b ,"c,d"', ['a', 'b', 'c,d']],
    ['a,a', ['a', 'a_2']],
    ['', undefined],
    ['  ', undefined],
  ])('%j', (text, names) => expect(parseHeaderFields(text, 10)).toEqual(names));

  it.each(['a\nb', 'a,"b', 'a,b,c,d', ' , ,'])('%j is refused', (text) => {
    expect(() => parseHeaderFields(text, 3)).toThrow(CsvHeaderError);
  });
});

describe('the delimiter', () => {
  it.each([
    [',', ','],
    [';', ';'],
    ['\t', '\t'],
    ['\\t', '\t'],
    ['||', '||'],
    ['¦', '¦'],
  ])('%j', (text, bytes) => expect(Buffer.from(csvDelimiter(text).bytes).toString()).toBe(bytes));

  it.each(['', '"', '\n', '\r', ',\n'])('%j is refused', (text) =>
    expect(() => csvDelimiter(text)).toThrow(CsvDelimiterError),
  );
});

it('names do not keep the spaces around them in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const spaces = ' '.repeat(1 << 20);
  collect();
  const before = process.memoryUsage().heapUsed;
  const names = Array.from({ length: 40 }, (_, i) => header(`${spaces}name_of_column_${i}\nx\n`)[0]);
  collect();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before + (10 << 20));
  expect(names[39]).toBe('name_of_column_39');
});
