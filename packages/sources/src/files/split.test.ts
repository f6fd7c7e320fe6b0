import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Format } from './format.js';
import { type Part, Splitter, type SplitOptions } from './split.js';

function parts(pieces: readonly Uint8Array[], options: SplitOptions): readonly Part[] {
  const splitter = new Splitter(options);
  return [...pieces.flatMap((piece) => [...splitter.push(piece)]), ...splitter.end()].map((part) => ({
    ...part,
    body: Buffer.from(part.body),
  }));
}

const options = (format: Format, maxBytes: number, header = format === 'csv'): SplitOptions => ({
  format,
  maxBytes,
  header,
  delimiter: ',',
});

const texts = (text: string, given: SplitOptions): readonly string[] =>
  parts([Buffer.from(text)], given).map(({ body }) => Buffer.from(body).toString());

describe('splits between events', () => {
  it.each<readonly [Format, number, string, readonly string[]]>([
    ['ndjson', 100, '{"a":1}\n{"a":2}\n', ['{"a":1}\n{"a":2}\n']],
    ['ndjson', 10, '{"a":1}\n{"a":2}\n{"a":3}', ['{"a":1}\n', '{"a":2}\n', '{"a":3}']],
    ['ndjson', 16, '{"a":1}\n{"a":2}\n{"a":3}', ['{"a":1}\n{"a":2}\n', '{"a":3}']],
    ['ndjson', 3, '{"a":1}\n', ['{"a":1}\n']],
    ['ndjson', 3, '', []],
    [
      'ndjson',
      10,
      '{"a":1}\n{\n "b":[\n  {\n  },\n  {}\n ]\n}\n{"c":3}\n',
      ['{"a":1}\n', '{\n "b":[\n  {\n  },\n  {}\n ]\n}\n', '{"c":3}\n'],
    ],
    ['ndjson', 10, '{"a":{}\n,"b":2}\r\n \r\n[{}]\r\n{}', ['{"a":{}\n,"b":2}\r\n', ' \r\n[{}]\r\n', '{}']],
    [
      'ndjson',
      5,
      '{"a":"cut o\n{"a":1}\nno event\n7\n{"a":2}\n',
      ['{"a":"cut o\n{"a":1}\n', 'no event\n', '7\n', '{"a":2}\n'],
    ],
    ['ndjson', 10, '\u{feff}{"a":1}\n{\n}\n', ['\u{feff}{"a":1}\n', '{\n}\n']],
    ['json', 100, '[{"a":1}, {"a":[2]}]', ['[{"a":1},{"a":[2]}]']],
    ['json', 10, '[{"a":1}, {"a":"]"}]', ['[{"a":1}]', '[{"a":"]"}]']],
    ['json', 10, '[{"a":1}][{"a":2}]', ['[{"a":1}]', '[{"a":2}]']],
    ['json', 100, '{"a":1}{"a":"\\"}"}\n 7 "x" [[1]]', ['[{"a":1},{"a":"\\"}"},7,"x",[1]]']],
    ['json', 100, '[{"a":1}, {"a":', ['[{"a":1}]', '{"a":']],
    ['json', 100, ' [ ] ', []],
    ['csv', 100, 'a,b\n1,2\n3,4\n', ['a,b\n1,2\n3,4\n']],
    ['csv', 8, 'a,b\n1,2\n3,4\n', ['a,b\n1,2\n', 'a,b\n3,4\n']],
    ['csv', 8, '\na,b\n1,2\n3,4', ['a,b\n1,2\n', 'a,b\n3,4']],
    ['csv', 12, '\t\n,\n1,2\n3,4\n5,6\n', [',\n1,2\n3,4\n', ',\n5,6\n']],
    ['csv', 12, 'a,b\n"x\ny",2\n3,"4"""\n', ['a,b\n"x\ny",2\n', 'a,b\n3,"4"""\n']],
    ['csv', 9, 'a,b\r\n1,2\r\n3,4\r\n', ['a,b\r\n1,2\r\n', 'a,b\r\n3,4\r\n']],
    ['csv', 8, 'a,b\r1,2\r3,4\r', ['a,b\r1,2\r', 'a,b\r3,4\r']],
    ['csv', 12, 'a,b\r"x\ry",2\r3,4\r', ['a,b\r"x\ry",2\r', 'a,b\r3,4\r']],
    ['csv', 12, 'a,b\n5" x,2\n6",1\n', ['a,b\n5" x,2\n', 'a,b\n6",1\n']],
    ['json', 10, '\u{feff}[{"a":1}, {"a":2}]', ['[{"a":1}]', '[{"a":2}]']],
    ['json', 10, '\u{feff}{"a":1}{"a":2}', ['[{"a":1}]', '[{"a":2}]']],
    ['csv', 12, '\u{feff}"a\n",b\n1,2\n3,4\n', ['\u{feff}"a\n",b\n1,2\n', '\u{feff}"a\n",b\n3,4\n']],
  ])('%s, %i bytes: %j', (format, maxBytes, text, expected) =>
    expect(texts(text, options(format, maxBytes))).toEqual(expected),
  );

  it('a CSV with separate names has no header', () =>
    expect(texts('1,2\n3,4\n', options('csv', 4, false))).toEqual(['1,2\n', '3,4\n']));

  it('a line of delimiters only is a row, also if they are tabs', () =>
    expect(texts('  \n\t\n1\t2\n3\t4\n', { ...options('csv', 6), delimiter: '\\t' })).toEqual([
      '\t\n1\t2\n',
      '\t\n3\t4\n',
    ]));

  it('a delimiter of several bytes opens cells too', () =>
    expect(texts('a||b\n1||"x\n"\n2||y\n', { ...options('csv', 12), delimiter: '||' })).toEqual([
      'a||b\n1||"x\n"\n',
      'a||b\n2||y\n',
    ]));
});

test('an array has exactly the maximum size', () => {
  const splitBodies = (maxBytes: number) =>
    parts([Buffer.from('[{},{},{}]')], options('json', maxBytes)).map(({ body }) => Buffer.from(body).toString());
  expect(splitBodies(10)).toEqual(['[{},{},{}]']);
  expect(splitBodies(9)).toEqual(['[{},{}]', '[{}]']);
  expect(splitBodies(7)).toEqual(['[{},{}]', '[{}]']);
  expect(splitBodies(6)).toEqual(['[{}]', '[{}]', '[{}]']);
});

/** Chunks of any size, also within a character. */
const pieces = (bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
};

const event = fc.dictionary(fc.string(), fc.jsonValue());
const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ') });
const quoteCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe('chunking', () => {
  const cuts = fc.array(fc.nat(), { maxLength: 20 });
  const maxBytes = fc.integer({ min: 1, max: 300 });

  it('does not change the requests', () => {
    const format = fc.constantFrom<Format>('json', 'ndjson', 'csv');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), cuts, maxBytes, format, (text, cuts, maxBytes, format) => {
        const bytes = Buffer.from(text);
        const given = options(format, maxBytes);
        // As texts, which compare quickly.
        const formatParts = (some: readonly Part[]) =>
          some.map(
            ({ body, offset, runs }) => `${offset} ${Buffer.from(body).toString('latin1')} ${JSON.stringify(runs)}`,
          );
        expect(formatParts(parts(pieces(bytes, cuts), given))).toEqual(formatParts(parts([bytes], given)));
      }),
    );
  });

  it('keeps events whole, on one line or several', () => {
    const written = fc
      .tuple(event, fc.constantFrom(undefined, 1))
      .map(([each, indent]) => JSON.stringify(each, undefined, indent));
    fc.assert(
      fc.property(fc.array(written), cuts, maxBytes, (events, cuts, maxBytes) => {
        const text = events.map((each) => `${each}\n`).join('');
        const bodies = parts(pieces(Buffer.from(text), cuts), options('ndjson', maxBytes)).map(({ body }) => body);
        expect(Buffer.concat(bodies).toString()).toBe(text);
        let next = 0;
        for (const body of bodies) {
          const first = next;
          let built = '';
          while (built.length < body.length) built += `${events[next++] ?? ''}\n`;
          expect(built).toBe(Buffer.from(body).toString());
          expect(body.byteLength <= maxBytes || next === first + 1).toBe(true);
        }
      }),
    );
  });

  it('sends a complete event at a pause', () => {
    const splitter = new Splitter(options('ndjson', 1000));
    const pushPiece = (piece: string) =>
      [...splitter.push(Buffer.from(piece)), ...splitter.pause()].map(({ body }) => Buffer.from(body).toString());
    expect([pushPiece('{"a":{}}\n'), pushPiece('{"b":{}\n'), pushPiece('}\n{"c":"}'), pushPiece('\n"}\n\n')]).toEqual([
      ['{"a":{}}\n'],
      [],
      ['{"b":{}\n}\n'],
      ['{"c":"}\n"}\n'],
    ]);
  });

  it('keeps lines whole and loses none', () => {
    fc.assert(
      fc.property(fc.array(event), cuts, maxBytes, (events, cuts, maxBytes) => {
        const text = events.map((each) => `${JSON.stringify(each)}\n`).join('');
        const bodies = parts(pieces(Buffer.from(text), cuts), options('ndjson', maxBytes)).map(({ body }) => body);
        expect(Buffer.concat(bodies).toString()).toBe(text);
        for (const body of bodies) {
          const lines = Buffer.from(body).toString().trimEnd().split('\n');
          expect(body.byteLength <= maxBytes || lines.length === 1).toBe(true);
          for (const line of lines) JSON.parse(line);
        }
      }),
    );
  });

  it('keeps array elements whole and loses none', () => {
    fc.assert(
      fc.property(fc.array(event), cuts, maxBytes, fc.constantFrom(0, 2), (events, cuts, maxBytes, indent) => {
        const text = JSON.stringify(events, undefined, indent);
        const bodies = parts(pieces(Buffer.from(text), cuts), options('json', maxBytes)).map(({ body }) => body);
        const read = bodies.map((body) => JSON.parse(Buffer.from(body).toString()) as unknown[]);
        expect(read.flat(1)).toEqual(JSON.parse(text));
        for (const [i, body] of bodies.entries())
          expect(body.byteLength <= maxBytes || read[i]!.length === 1).toBe(true);
      }),
    );
  });

  it('keeps CSV rows whole under their header', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell)),
        cuts,
        maxBytes,
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, cuts, maxBytes, ending) => {
          const header = `a,b${ending}`;
          const lines = rows.map((row) => `${row.map(quoteCell).join(',')}${ending}`);
          const bodies = parts(pieces(Buffer.from(header + lines.join('')), cuts), options('csv', maxBytes));
          const without = bodies.map(({ body }) => {
            const text = Buffer.from(body).toString();
            expect(text.startsWith(header)).toBe(true);
            return text.slice(header.length);
          });
          expect(without.join('')).toBe(lines.join(''));
          // Each body is a run of whole rows.
          let next = 0;
          for (const text of without) {
            let built = '';
            while (built.length < text.length) built += lines[next++] ?? '\0';
            expect(built).toBe(text);
          }
        },
      ),
    );
  });

  it('does not buffer an event that never ends', () => {
    const splitter = new Splitter(options('csv', 100));
    const piece = Buffer.alloc(8 * 1024 * 1024, 'x');
    expect(() => {
      for (const _ of splitter.push(Buffer.from('a\n1\n"'))) continue;
      for (let i = 0; i < 9; i++) for (const _ of splitter.push(piece)) continue;
    }).toThrow(/the event that begins at byte 4 is longer than 67.1 MB; is a quote never closed\?/);
  });
});
