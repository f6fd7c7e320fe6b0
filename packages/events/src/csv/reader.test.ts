import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader, csvDelimiter } from './index.js';

/** Rows as arrays of values, failed rows as their reason. */
function read(text: string | Uint8Array, delimiter = ',', columns = 100): (string | string[])[] {
  const reader = new CsvReader(Buffer.from(text), csvDelimiter(delimiter), columns);
  const rows: (string | string[])[] = [];
  while (reader.next()) {
    const values = Array.from({ length: reader.cells }, (_, cell) => Buffer.from(reader.bytes(cell)).toString());
    rows.push(reader.error ?? values);
  }
  return rows;
}

const closingRule =
  'expected a closing " followed by the delimiter or the end of the line, and "" for a quote inside the value';

const cases: readonly (readonly [title: string, text: string, rows: readonly (string | string[])[]])[] = [
  ['nothing', '', []],
  ['one cell', 'a', [['a']]],
  ['cells', 'a,b,c\n', [['a', 'b', 'c']]],
  [
    'no line end at the end',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['LF, CRLF and CR', 'a\nb\r\nc\rd', [['a'], ['b'], ['c'], ['d']]],
  [
    'empty cells',
    ',a,\n,\n',
    [
      ['', 'a', ''],
      ['', ''],
    ],
  ],
  ['an empty cell at the very end', 'a,', [['a', '']]],
  ['empty lines', '\n\na\n\r\n\rb\n\n', [['a'], ['b']]],
  ['lines of spaces and tabs', 'a\n \t\n\t\tb\n   ', [['a'], ['\t\tb']]],
  [
    'spaces and tabs around values stay',
    ' a , b\t\n\t\tc,d ',
    [
      [' a ', ' b\t'],
      ['\t\tc', 'd '],
    ],
  ],
  ['a quoted cell', '"a",b', [['a', 'b']]],
  ['an empty quoted cell', '"",b\n""', [['', 'b'], ['']]],
  ['a quoted delimiter', '"a,b",c', [['a,b', 'c']]],
  ['quoted line ends', '"a\nb\r\nc\rd",e\nf', [['a\nb\r\nc\rd', 'e'], ['f']]],
  ['doubled quotes', '"say ""hi""","""",""""""', [['say "hi"', '"', '""']]],
  ['quotes inside plain cells', 'a"b,c"",5" x "', [['a"b', 'c""', '5" x "']]],
  ['a quote after a space is plain', 'a, "b", c', [['a', ' "b"', ' c']]],
  ['a byte order mark', '\u{feff}a,b', [['a', 'b']]],
  ['a byte order mark before a quote', '\u{feff}"a,b"', [['a,b']]],
  ['a byte order mark later on', 'a\n\u{feff}b', [['a'], ['\u{feff}b']]],
  ['NUL and other controls', 'a\0b,\u{1}', [['a\0b', '\u{1}']]],
  [
    'a quote that is never closed costs its line',
    'a,b\nc,"d\ne,f\n',
    [['a', 'b'], `line 2: the quoted value in cell 2 is never closed; ${closingRule}`, ['e', 'f']],
  ],
  [
    'a quote that is never closed on the last line',
    '"a',
    [`line 1: the quoted value in cell 1 is never closed; ${closingRule}`],
  ],
  ['a quote and nothing else', '"', [`line 1: the quoted value in cell 1 is never closed; ${closingRule}`]],
  [
    'text after the closing quote',
    '"a"b,c\r\nd',
    [`line 1: the quoted value in cell 1 goes on after its closing quote; ${closingRule}`, ['d']],
  ],
  [
    'a stray quote closed by a later row',
    '"a\nb,"c"\nd',
    [`line 1: the quoted value in cell 1 goes on after its closing quote; ${closingRule}`, ['b', 'c'], ['d']],
  ],
  [
    'a broken cell behind one of several lines',
    '"a\nb","c\nd',
    [`line 2: the quoted value in cell 2 is never closed; ${closingRule}`, ['d']],
  ],
];

const delimited: readonly (readonly [title: string, text: string, rows: readonly string[][], delimiter: string])[] = [
  ['semicolons', 'a,b;c', [['a,b', 'c']], ';'],
  [
    'tabs',
    '\ta\t\n\t\n',
    [
      ['', 'a', ''],
      ['', ''],
    ],
    '\\t',
  ],
  ['spaces', ' a\n', [['', 'a']], ' '],
  ['two characters', 'a||b|c||"d||e"||', [['a', 'b|c', 'd||e', '']], '||'],
  ['part of a delimiter at the end', 'a|', [['a|']], '||'],
  ['a delimiter of several bytes', 'aéb¢c', [['a', 'b¢c']], 'é'],
];

describe('CSV rows', () => {
  it.each(cases)('%s', (_, text, rows) => expect(read(text)).toEqual(rows));
  it.each(delimited)('between %s', (_, text, rows, delimiter) => expect(read(text, delimiter)).toEqual(rows));
});

describe('rows and columns', () => {
  it.each<[title: string, text: string, rows: (string | string[])[]]>([
    ['fewer cells', 'a', [['a']]],
    ['as many', 'a,b', [['a', 'b']]],
    ['empty ones more', 'a,b,,""', [['a', 'b']]],
    ['more', 'a,b,,c\nd', ['line 1: expected at most 2 cells, found 4', ['d']]],
  ])('%s', (_, text, rows) => expect(read(text, ',', 2)).toEqual(rows));

  it('keeps only the allowed cells of a row', () => {
    const reader = new CsvReader(Buffer.from(','.repeat(1_000_000)), csvDelimiter(','), 3);
    expect([reader.next(), reader.cells, reader.error]).toEqual([true, 3, undefined]);
  });
});

describe('where a row is', () => {
  it('counts lines of any ending, also inside values and failed rows', () => {
    const reader = new CsvReader(Buffer.from('\u{feff}a\r\n\r\n"b\nb\rb\r\nb"\rc\n"d\ne,f\n'), csvDelimiter(','), 9);
    const places: unknown[] = [];
    while (reader.next()) places.push([reader.line, reader.offset, reader.error !== undefined]);
    expect(places).toEqual([
      [1, 3, false],
      [3, 8, false],
      [7, 19, false],
      [8, 21, true],
      [9, 24, false],
    ]);
  });

  it('gives views into the body and says which hold doubled quotes', () => {
    const body = Buffer.from('ab,"c""d","e"');
    const reader = new CsvReader(body, csvDelimiter(','), 9);
    reader.next();
    expect([0, 1, 2].map((cell) => [reader.start(cell), reader.end(cell), reader.escaped(cell)])).toEqual([
      [0, 2, false],
      [4, 8, true],
      [11, 12, false],
    ]);
    expect(reader.bytes(0).buffer).toBe(body.buffer);
  });
});

describe('any CSV', () => {
  const value = fc.string({
    unit: fc.constantFrom('a', 'b', ',', ';', '"', '\n', '\r', ' ', '\t', 'é', '😀', '|'),
    maxLength: 8,
  });
  const table = fc.array(fc.array(value, { minLength: 1, maxLength: 40 }), { maxLength: 12 });
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

  it('reads back what was written with quotes', () => {
    fc.assert(
      fc.property(
        table,
        ending,
        fc.constantFrom(',', ';', '\t', '||', 'é'),
        fc.boolean(),
        (rows, end, delimiter, last) => {
          const text = rows.map((row) => row.map(quoted).join(delimiter)).join(end) + (last ? end : '');
          expect(read(text, delimiter)).toEqual(rows);
        },
      ),
    );
  });

  it('reads back what was quoted only where needed', () => {
    const needed = (cell: string): string => (/^[ \t]*$|[",\r\n]/.test(cell) ? quoted(cell) : cell);
    fc.assert(
      fc.property(table, ending, (rows, end) => {
        expect(read(rows.map((row) => row.map(needed).join(',')).join(end))).toEqual(rows);
      }),
    );
  });

  it('loses no row beside a stray quote', () => {
    const plain = fc.array(fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 4 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const text = [
          ...before.map((row) => row.join(',')),
          'x,"y,z',
          ...after.map((row) => row.map(quoted).join(',')),
        ].join('\n');
        const rows = read(text);
        expect(rows.filter((row) => typeof row !== 'string')).toEqual([...before, ...after]);
        expect(rows.filter((row) => typeof row === 'string')).toHaveLength(1);
      }),
    );
  });

  it('ends on any bytes, and every row starts after the one before', () => {
    const piece = fc.constantFrom('"', '""', ',', '\n', '\r', 'a', ' ', '\0', '\u{feff}');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const body = Buffer.from(pieces.join(''));
        const reader = new CsvReader(body, csvDelimiter(','), 5);
        let before = -1;
        while (reader.next()) {
          expect(reader.offset).toBeGreaterThan(before);
          before = reader.offset;
          for (let cell = 0; cell < reader.cells; cell++) expect(reader.end(cell)).toBeLessThanOrEqual(body.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the body, however it is broken', () => {
    for (const line of ['"\n', '"a""\n', '"a"b\n', 'a,"\nb"c\n', '"x\n"y\n']) {
      const reader = new CsvReader(Buffer.from(line.repeat(100_000)), csvDelimiter(','), 5);
      let rows = 0;
      const begin = performance.now();
      while (reader.next()) rows += Math.min(reader.line, 1);
      expect(performance.now() - begin).toBeLessThan(5000);
      expect(rows).toBeGreaterThanOrEqual(50_000);
    }
  });
});
