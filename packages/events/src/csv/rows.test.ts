import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCsv } from '../encode-csv.js';
import type { EncodeResult } from '../encode.js';
import { options, rowsOf } from '../testing/encode.js';
import { comma, csvDelimiter } from './index.js';
import { withRows } from './rows.js';

/** Encodes a body whose columns have these names, with all its failures. */
function encode(text: string | Uint8Array, header: readonly string[], delimiter = ','): EncodeResult {
  const csv = { delimiter: csvDelimiter(delimiter), header };
  return encodeCsv(Buffer.from(text), csv, options({ limits: { maxFailuresReported: 1_000_000 } }));
}

const columnNames = (columns: number): string[] => Array.from({ length: columns }, (_, column) => `c${column}`);

/** Rows as arrays of values, failed rows as their reason. */
function read(text: string | Uint8Array, delimiter = ',', columns = 100): (string | string[])[] {
  const result = encode(text, columnNames(columns), delimiter);
  const rows: (string | string[])[] = rowsOf(result).map((row) =>
    columnNames(columns).flatMap((name) => (row[`${name}#s`] as string | undefined) ?? []),
  );
  for (const { index, error } of result.failures) {
    expect(error).toContain(`event ${index}, line `);
    rows.splice(index, 0, error.slice(`event ${index}, `.length));
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

const delimiterCases: readonly (readonly [
  title: string,
  text: string,
  rows: readonly string[][],
  delimiter: string,
])[] = [
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
  it.each(delimiterCases)('between %s', (_, text, rows, delimiter) => expect(read(text, delimiter)).toEqual(rows));
});

describe('rows and columns', () => {
  it.each<[title: string, text: string, rows: (string | string[])[]]>([
    ['fewer cells', 'a', [['a']]],
    ['as many', 'a,b', [['a', 'b']]],
    ['empty ones more', 'a,b,,""', [['a', 'b']]],
    ['more', 'a,b,,c\nd', ['line 1: expected at most 2 cells, found 4', ['d']]],
  ])('%s', (_, text, rows) => expect(read(text, ',', 2)).toEqual(rows));

  it('keeps only the allowed cells of a row', () => {
    expect(read(','.repeat(1_000_000), ',', 3)).toEqual([['', '', '']]);
    withRows(Buffer.from(','.repeat(1_000_000)), comma, (rows) => {
      expect([rows.next(3), rows.cells.length, rows.error]).toEqual([true, 3, undefined]);
    });
  });
});

describe('where a row is', () => {
  const text = '\u{feff}a\r\n\r\n"b\nb\rb\r\nb"\rc\n"d\ne,f\n';
  const places = [
    [1, 3, false],
    [3, 8, false],
    [7, 19, false],
    [8, 21, true],
    [9, 24, false],
  ];

  it('counts lines of any ending, also inside values and failed rows', () => {
    withRows(Buffer.from(text), comma, (rows) => {
      const found: unknown[] = [];
      while (rows.next(9)) found.push([rows.lineOf(rows.offset), rows.offset, rows.error !== undefined]);
      expect(found).toEqual(places);
    });
  });

  it('tells the same of events that fail, here because none has a time', () => {
    const { failures } = encode(text, ['_time', ...columnNames(8)]);
    const found = failures.map(({ offset, error }) => [
      Number(/line (\d+)/.exec(error)![1]),
      offset,
      error.includes('the quoted value'),
    ]);
    expect(found).toEqual(places);
  });

  it('gives the values of cells, with one quote for two', () => {
    withRows(Buffer.from('ab,"c""d","e"'), comma, (rows) => {
      rows.next(9);
      expect(rows.cells.map((cell) => Buffer.from(cell).toString())).toEqual(['ab', 'c"d', 'e']);
    });
  });
});

describe('any CSV', () => {
  const value = fc.string({
    unit: fc.constantFrom('a', 'b', ',', ';', '"', '\n', '\r', ' ', '\t', 'é', '😀', '|'),
    maxLength: 8,
  });
  const table = fc.array(fc.array(value, { minLength: 1, maxLength: 40 }), { maxLength: 12 });
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const quoteCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

  it('reads back what was written with quotes', () => {
    fc.assert(
      fc.property(
        table,
        ending,
        fc.constantFrom(',', ';', '\t', '||', 'é'),
        fc.boolean(),
        (rows, end, delimiter, last) => {
          const text = rows.map((row) => row.map(quoteCell).join(delimiter)).join(end) + (last ? end : '');
          expect(read(text, delimiter)).toEqual(rows);
        },
      ),
    );
  });

  it('reads back what was quoted only where needed', () => {
    const quoteIfNeeded = (cell: string): string => (/^[ \t]*$|[",\r\n]/.test(cell) ? quoteCell(cell) : cell);
    fc.assert(
      fc.property(table, ending, (rows, end) => {
        expect(read(rows.map((row) => row.map(quoteIfNeeded).join(',')).join(end))).toEqual(rows);
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
          ...after.map((row) => row.map(quoteCell).join(',')),
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
        const found = withRows(body, comma, (rows) => {
          let count = 0;
          let before = -1;
          for (; rows.next(5); count++) {
            expect(rows.offset).toBeGreaterThan(before);
            before = rows.offset;
            expect(rows.cells.reduce((sum, { length }) => sum + length, before)).toBeLessThanOrEqual(body.length);
          }
          return count;
        });
        const { ingested, failed } = encode(body, columnNames(5));
        expect(ingested + failed).toBe(found);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the body, however it is broken', () => {
    for (const line of ['"\n', '"a""\n', '"a"b\n', 'a,"\nb"c\n', '"x\n"y\n']) {
      // CPU time, because the machine may be busy with something else.
      const begin = process.cpuUsage();
      const { ingested, failed } = encode(line.repeat(100_000), columnNames(5));
      expect(process.cpuUsage(begin).user / 1000).toBeLessThan(5000);
      expect(ingested + failed).toBeGreaterThanOrEqual(50_000);
    }
  });

  // The first byte of ü is that of é.
  it.each([',', '||', 'é'])('finds cells of all lengths around the steps of the reader, between %s', (delimiter) => {
    const lengths = Array.from({ length: 70 }, (_, length) => 'x'.repeat(length));
    const text = lengths
      .map((x) => [x, `${x}ü`, quoteCell(`${x}"`), quoteCell(x + delimiter)].join(delimiter))
      .join('\r\n');
    expect(read(text, delimiter)).toEqual(lengths.map((x) => [x, `${x}ü`, `${x}"`, x + delimiter]));
  });
});
