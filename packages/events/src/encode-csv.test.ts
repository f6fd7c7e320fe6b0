import { describe, expect, test } from 'vitest';
import { comma, csvDelimiter } from './csv/index.js';
import { type CsvOptions, encodeCsv } from './encode-csv.js';
import { options, rowsOf } from './testing/encode.js';
import { readBlock } from './testing/read-block.js';

function encode(body: string | Uint8Array, csv: Partial<CsvOptions> = {}, changes?: Parameters<typeof options>[0]) {
  return encodeCsv(typeof body === 'string' ? Buffer.from(body) : body, { delimiter: comma, ...csv }, options(changes));
}

/** The body gives these rows and no failure. */
function check(body: string, expected: readonly Record<string, string>[], csv: Partial<CsvOptions> = {}): void {
  test(`${JSON.stringify(body)}`, () => {
    const result = encode(body, csv);
    expect(result.failures).toEqual([]);
    const named = expected.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [`${name}#s`, value])),
    );
    expect(rowsOf(result)).toEqual(named);
  });
}

describe('CSV', () => {
  check('a,b\n1,x\n', [{ a: '1', b: 'x' }]);
  check('a,b\n1\n,\n', [{ a: '1' }, { a: '', b: '' }]);
  check('a\nx\ny', [{ a: 'x' }, { a: 'y' }]);
  check('a,b\r\n"x ""y""\n",z\r\n', [{ a: 'x "y"\n', b: 'z' }]);
  check('user, name\nfoo, bar', [{ user: 'foo', name: ' bar' }]);
  check('a;b\n1;2', [{ a: '1', b: '2' }], { delimiter: csvDelimiter(';') });
  check(
    '1,2\n3,4',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
    { header: ['a', 'b'] },
  );
  check('geo.city,_sysTime\nx,y', [{ 'geo.city': 'x', _user_sysTime: 'y' }]);
  check('', []);

  test('takes the time out of its column', () => {
    const { block } = encode('_time,a\n2024-01-01T00:00:00Z,x\n"1704067201",y\n,z\n');
    expect(readBlock(block).map((row) => row['_time'])).toEqual([
      1704067200000000000n,
      1704067201000000000n,
      1700000000000000000n,
    ]);
    expect(block.columns.map(({ name }) => name)).toEqual(['_time', 'a#s']);
  });
  test('fails rows alone', () => {
    const { failures, ingested } = encode('_time,a\n1704067200,x\nsoon,y\n1,2,3\n1704067200,z');
    expect(ingested).toBe(2);
    expect(failures.map(({ index, error }) => [index, error])).toEqual([
      [
        1,
        'event 1, line 3: _time: "soon" is not a timestamp of a known format; timestamp-format, a Go layout such as 2.1.2006 15:04, says how yours are written',
      ],
      [2, 'event 2, line 4: expected at most 2 cells, found 3'],
    ]);
  });
  test('merges labels, repairs broken bytes, keeps limits', () => {
    const body = Buffer.concat([Buffer.from('a,b\n<'), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from('>é,123456')]);
    const result = encode(body, {}, { labels: Buffer.from('{"l":1,"a":"gone"}'), limits: { maxValueBytes: 10 } });
    expect(rowsOf(result)).toEqual([{ 'l#i': 1n, 'a#s': '<\ufffd\ufffd>é', 'b#s': '123456' }]);
    expect(rowsOf(encode('a\n12345678901', {}, { limits: { maxValueBytes: 10 } }))).toEqual([
      { 'a#s': '<invalid string: too long, 11 bytes>' },
    ]);
  });
  test('repairs invalid bytes in quotes as well, also next to a doubled one', () => {
    const cell = (text: string) => Buffer.concat([Buffer.from('"<'), Buffer.from([0xff]), Buffer.from(`${text}é"`)]);
    const body = Buffer.concat([
      Buffer.from('a,b\n'),
      cell('>'),
      Buffer.from(','),
      cell('""'),
      Buffer.from('\n"é",x\n'),
    ]);
    expect(rowsOf(encode(body))).toEqual([
      { 'a#s': '<\ufffd>é', 'b#s': '<\ufffd"é' },
      { 'a#s': 'é', 'b#s': 'x' },
    ]);
  });
  test('rejects UTF-16, which would leave only zero bytes', () => {
    for (const body of [Buffer.from('\ufeffa,b\n1,2', 'utf16le'), Buffer.from('\ufeffa', 'utf16le').swap16()])
      expect(() => encode(body)).toThrow('expected UTF-8, found the byte order mark of UTF-16');
  });
  test('keeps to a locked schema', () => {
    const schema = {
      fields: new Map([
        ['a', ['string'] as const],
        ['b', ['integer'] as const],
      ]),
    };
    const result = encode('a,b,c\nx,1,2\n', {}, { schema });
    expect(rowsOf(result)).toEqual([{ 'a#s': 'x' }]);
    expect(result.dropped).toEqual([
      { field: 'b', reason: { kind: 'type', allowed: ['integer'], saw: 'string' }, count: 1 },
      { field: 'c', reason: { kind: 'undeclared' }, count: 1 },
    ]);
  });
});

test('columns beyond the fields of a body share one field', () => {
  const result = encode('a,b,"c ""1"""\n1,2,"x\ny"\n3,,', {}, { limits: { maxRequestFields: 2 } });
  expect(rowsOf(result)).toEqual([
    { 'a#s': '1', 'b#s': '2', '_other#m': '{"c \\"1\\"":"x\\ny"}' },
    { 'a#s': '3', 'b#s': '', '_other#m': '{"c \\"1\\"":""}' },
  ]);
});
