import { describe, expect, it } from 'vitest';
import { readAnswer } from '../result/tabular.js';
import { memoryIo, type MemoryIoOptions } from '../testing/memory-io.js';
import { type ResultFormat, writeAnswer } from './write.js';

/** Golden tests of result formats. */

const answer = (fields: readonly (readonly [string, string])[], columns: string, more = ''): string =>
  `{"format":"tabular","status":{"elapsedTime":1500,"rowsExamined":1200,"rowsMatched":3,"messages":[]},"tables":[{"name":"0",` +
  `"fields":${JSON.stringify(fields.map(([name, type]) => ({ name, type })))},"order":[],"columns":${columns}}${more}]}`;

async function renderAnswer(text: string, format: ResultFormat, options: MemoryIoOptions = {}): Promise<string> {
  const io = memoryIo(options);
  await writeAnswer(io, readAnswer(text), text, format);
  return io.written.out;
}

const three = answer(
  [
    ['path', 'string'],
    ['n', 'integer'],
    ['share', 'float|integer'],
    ['none', 'string'],
  ],
  '[["/","/näme",null],[9007199254740993,2,30],[0.5,1,null],[null,null,null]]',
);

describe('a table', () => {
  it('aligns numbers to the right', async () =>
    expect(await renderAnswer(three, 'table')).toBe(
      [
        'path                  n  share',
        '/      9007199254740993    0.5',
        '/näme                 2      1',
        '                     30',
        '',
        '3 rows · 1,200 examined · 2 ms · 1 column empty, hidden',
        '',
      ].join('\n'),
    ));

  it('escapes cursor control, measures wide characters and truncates', async () =>
    expect(
      await renderAnswer(
        answer(
          [
            ['text', 'string'],
            ['x', 'string'],
          ],
          JSON.stringify([
            ['\u001B[31mred\u0007', '日本語', 'a\nb\tc', 'e\u0301🙂', 'a very long text that has no room'],
            ['1', '2', '3', '4', '5'],
          ]),
        ),
        'table',
        { width: 24 },
      ),
    ).toBe(
      [
        'text                   x',
        '\\u001b[31mred\\u0007    1',
        '日本語                 2',
        'a\\nb\\tc                3',
        'e\u0301🙂                    4',
        'a very long text tha…  5',
        '',
        '5 rows · 1,200 examined · 2 ms',
        '',
      ].join('\n'),
    ));

  it('omits columns that do not fit', async () => {
    const fields = ['a', 'b', 'c', 'd'].map((name) => [`column_${name}`, 'string'] as const);
    expect(await renderAnswer(answer(fields, '[["1"],["2"],["3"],["4"]]'), 'table', { width: 20 })).toBe(
      'column_a  column_b\n1         2\n\n' +
        '1 row · 3 matched · 1,200 examined · 2 ms · no room for 2 columns: project fewer, or use --format ndjson\n',
    );
  });

  it('prints its totals', async () => {
    const totals = ',{"name":"_totals","fields":[{"name":"n","type":"integer"}],"order":[],"columns":[[7]]}';
    expect(await renderAnswer(answer([['n', 'integer']], '[[3,4,0]]', totals), 'table')).toBe(
      'n\n3\n4\n0\n\nin total\nn\n7\n\n3 rows · 1,200 examined · 2 ms\n',
    );
  });

  it('shows columns without values when all are', async () =>
    expect(
      await renderAnswer(
        answer(
          [
            ['status', 'integer'],
            ['path', 'string'],
          ],
          '[[null,null],[null,null]]',
        ),
        'table',
      ),
    ).toMatch(/^status  path\n *\n *\n\n2 rows · 3 matched · 1,200 examined · 2 ms\n$/));

  it('handles a hundred thousand columns', async () => {
    const columns = 100_000;
    const fields = Array.from({ length: columns }, (_, id) => [`f${id}`, 'integer'] as const);
    const text = await renderAnswer(answer(fields, `[${'[1],'.repeat(columns - 1)}[1]]`), 'table', { width: 14 });
    expect(text.split('\n').slice(0, 2)).toEqual(['f0  f1  f2  f3', ' 1   1   1   1']);
    expect(text).toContain('no room for 99,996 columns');
  });

  it('handles more rows than a function takes arguments', async () => {
    const rows = 200_000;
    const text = await renderAnswer(answer([['n', 'integer']], `[[${'1,'.repeat(rows - 1)}22]]`), 'table');
    expect([text.split('\n').length, text.slice(0, 6)]).toEqual([rows + 4, ' n\n 1\n']);
  });

  it('has a header without rows', async () =>
    expect(await renderAnswer(answer([['n', 'integer']], '[[]]'), 'table')).toMatch(/^n\n\n0 rows/));
});

describe('for programs', () => {
  it('NDJSON omits nulls and keeps numbers unchanged', async () =>
    expect(await renderAnswer(three, 'ndjson')).toBe(
      '{"path":"/","n":9007199254740993,"share":0.5}\n{"path":"/näme","n":2,"share":1}\n{"n":30}\n',
    ));

  it('CSV', async () =>
    expect(
      await renderAnswer(
        answer(
          [
            ['a "b"', 'string'],
            ['c', 'array'],
          ],
          '[["x,y","1\\n2",null,"\\u0022"],[[1,"z"],null,true,{"k":1.50}]]',
        ),
        'csv',
      ),
    ).toBe('"a ""b""",c\n"x,y","[1,""z""]"\n"1\n2",\n,true\n"""","{""k"":1.50}"\n'));

  it('CSV of one column has no empty lines, which readers skip', async () =>
    expect(await renderAnswer(answer([['a', 'string']], '[["x",null,""]]'), 'csv')).toBe('a\nx\n""\n""\n'));

  it('JSON is the unchanged response', async () => expect(await renderAnswer(three, 'json')).toBe(`${three}\n`));
});

it.each(['', 'null', '{}', '{"tables":[]}', '{"tables":[{"fields":1'])('%j is not a response', (text) =>
  expect(() => readAnswer(text)).toThrow('the server sent an answer that cannot be read'),
);
