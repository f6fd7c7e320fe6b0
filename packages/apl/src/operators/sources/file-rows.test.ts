import { describe, expect, it } from 'vitest';
import { rowsOf } from './file-rows.js';

const rows = (text: string, format: Parameters<typeof rowsOf>[1]) => {
  const found = rowsOf(text, format);
  return found.kind === 'rows' ? found.rows : found.problem;
};

describe('rowsOf', () => {
  it.each([
    ['', []],
    ['a,b', [['a', 'b']]],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\n,b\n,',
      [
        ['a', null],
        [null, 'b'],
        [null, null],
      ],
    ],
    ['a\n\n\r\nb\n', [['a'], ['b']]],
    ['"a,""b""\nc",""\n', [['a,"b"\nc', '']]],
    [' a , "b" ,c d\n', [['a', 'b', 'c d']]],
    ['a"b,5" x 6"\n', [['a"b', '5" x 6"']]],
    ['"a"b"c"d,e\n', [['abcd', 'e']]],
    ['x,"never closed\ny', [['x', 'never closed\ny']]],
    ['x,"', [['x', '']]],
    ['a,b,c\nd\n', [['a', 'b', 'c'], ['d']]],
  ])('csv %j', (text, wanted) => expect(rows(text, 'csv')).toEqual(wanted));

  it.each([
    ['scsv', 'a;b,c\n', [['a', 'b,c']]],
    ['psv', 'a|b\n', [['a', 'b']]],
    [
      'tsv',
      'a\tb c\t\n"d\te"\t"""f"\n',
      [
        ['a', 'b c', null],
        ['d\te', '"f'],
      ],
    ],
    ['txt', 'a,"b\r\n\n c', [['a,"b'], [''], [' c']]],
    ['raw', '', []],
    ['json', '{"a":1}\n{"a":"}\\"{"}\n', [['{"a":1}'], ['{"a":"}\\"{"}']]],
    ['multijson', ' [{"a":{"b":[1]}},\n{}]{"c":null}', [['{"a":{"b":[1]}}'], ['{}'], ['{"c":null}']]],
    ['json', ' [ ]\n', []],
    ['json', '{"a":1}\n{bad}', 'what stands in line 2 is no object in JSON'],
    ['json', '{"a":1}\n{"a":', 'what stands in line 2 is no object in JSON'],
    ['json', '1', 'what stands in line 1 is no object in JSON'],
  ] as const)('%s %j', (format, text, wanted) => expect(rows(text, format)).toEqual(wanted));

  it('is fast', () => {
    const text = `${'"a ""b""",12345,c\n'.repeat(300_000)}"${'x'.repeat(2_000_000)}`;
    expect(rows(text, 'csv')).toHaveLength(300_001);
    expect(rows(`{"a":"${'x'.repeat(5_000_000)}"}`, 'json')).toHaveLength(1);
  });
});
