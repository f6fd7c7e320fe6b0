import { describe, expect, it } from 'vitest';
import { printQuery } from '@millrace/sql';
import type { ExternalFile } from '../../compiled-query.js';
import { compile } from '../../compile.js';
import { diagnose } from '../../editor/diagnose.js';
import { compileOrThrow, compileText, noDatasets, testOptions } from '../../testing/compile-text.js';
import { testEngine } from '../../testing/engine.js';

const externalHosts = ['data.example.com'];
const root = 'https://data.example.com/';
const filesOf = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, ExternalFile> =>
  new Map(Object.entries(texts).map(([name, text]) => [`${root}${name}`, { kind: 'text', text }]));
const messages = (text: string, files = filesOf({})): readonly string[] => {
  const result = compile(text, { ...testOptions, externalHosts, files });
  return result.kind === 'asks' ? [] : result.diagnostics.map((d) => d.message);
};

describe('externaldata', () => {
  it('has each column once', () =>
    expect(messages('externaldata (a:string, a:long) ["https://data.example.com/a.csv"]')).toEqual([
      'there are two columns a',
    ]));

  it('is off unless hosts are allowed', () =>
    expect(compileText('externaldata (a:string) ["https://data.example.com/a.csv"]').diagnostics[0]?.message).toBe(
      'externaldata is switched off on this server',
    ));

  it('asks for its files, each once, in the form in which they were allowed', () => {
    const text = `let a = externaldata (a:long) ["HTTPS://data.example.com/x/../a.csv#b", "${root}b|c.csv"] with (format="csv");
      a | join kind=inner (a) on a`;
    expect(compile(text, { ...testOptions, externalHosts })).toEqual({
      kind: 'reads',
      addresses: [`${root}a.csv`, `${root}b|c.csv`],
      diagnostics: [],
    });
  });

  it('reports options without effect', () =>
    expect(messages(`externaldata (a:string) ["${root}a"] with (format="csv", recreate_schema=true)`)).toEqual([
      'recreate_schema has no effect on externaldata',
    ]));

  it('requests none if the query is invalid anyway', () =>
    expect(messages(`externaldata (a:long) ["${root}a.csv"] | where`)).toHaveLength(1));

  it('says at its address why a file cannot be read', () => {
    const text = `externaldata (a:long) ["${root}a.csv", "${root}b.json"]`;
    const files = new Map([
      ...filesOf({ 'a.csv': '1\n' }),
      [`${root}b.json`, { kind: 'unread', problem: 'it answered 404' }] as const,
    ]);
    const result = compile(text, { ...testOptions, externalHosts, files });
    expect(result).toMatchObject({
      kind: 'failed',
      diagnostics: [{ message: 'it answered 404', span: { start: text.indexOf(`"${root}b`) } }],
    });
    expect(messages(`externaldata (a:long) ["${root}a.json"]`, filesOf({ 'a.json': '{"a":1}\n{"a"}' }))).toEqual([
      'what stands in line 2 is no object in JSON',
    ]);
  });

  it.each([
    ['a.csv', 'x'.repeat(2 ** 19), 31],
    // Most of it are cells that are missing.
    ['a.csv', 'x\n'.repeat(2 ** 15), 7],
    ['b.txt', '\\'.repeat(2 ** 19), 8],
    ['b.txt', '€'.repeat(2 ** 19), 8],
  ])('reads only as much as a statement may hold: %s', (name, text, times) => {
    const columns = name === 'a.csv' ? Array.from({ length: 16 }, (_, i) => `a${i}:long`).join(', ') : 'a:string';
    const findMessages = (count: number) =>
      messages(
        `let a = externaldata (${columns}) ["${root}${name}"]; union ${Array(count).fill('(a)').join(', ')}`,
        filesOf({ [name]: text }),
      );
    expect(findMessages(times)[0]).toMatch(/more than one statement can hold/);
    expect(findMessages(times - 2)).toEqual([]);
  });

  it('is known to editors before anything is read', () => {
    const diagnoseText = (text: string) => diagnose(text, noDatasets, { externalHosts }).map(({ message }) => message);
    expect(diagnoseText(`externaldata (a:long) ["${root}a.csv"] | where a > 1`)).toEqual([]);
    expect(diagnoseText(`externaldata (a:long) ["${root}a.csv"] | where b > 1`)[0]).toContain('b');
  });

  describe('reads', () => {
    const engine = testEngine();
    const rows = (text: string, texts: Readonly<Record<string, string>>): readonly unknown[] =>
      engine.rows(compileOrThrow(text, { externalHosts, files: filesOf(texts) }).query);

    it.each([
      ['(a:string, b:long)', 'with (Format=CSV, IgnoreFirstRecord=true)', 'a,b\nx,1\n', ['x|1']],
      [
        '(a:string, b:long)',
        `with (format="csv", ingestionMapping='[{"Name":"b","Ordinal":0},{"Column":"a","Properties":{"Ordinal":"2"}}]')`,
        '1,?,x\n',
        ['x|1'],
      ],
      [
        '(a:string, b:long)',
        `with (format=multijson, ingestionMapping=@'[{"Column":"a","Properties":{"Path":"$.o[0].k"}},{"Column":"b","Properties":{"Path":"$[\\"n m\\"]"}}]')`,
        '[{"o":[{"k":"x"}],"n m":1}]',
        ['x|1'],
      ],
    ])('%s %s', (columns, options, content, expected) => {
      const text = `externaldata ${columns} ["${root}a"] ${options} | project r = strcat(a, "|", b)`;
      expect(rows(text, { a: content }).flat()).toEqual(expected);
    });

    const all = 'd:dynamic, b:bool, l:long, r:real, s:string, t:datetime, u:timespan';
    it.each([
      [
        'values of every type',
        'csv',
        `"[1,""x""]",true,12,1.5, x ,2024-01-02T03:04:05Z,1h30m\n`,
        ['[1,"x"]', true, 12, 1.5, 'x', '2024-01-02T03:04:05Z', 5_400_000_000_000],
      ],
      [
        'what is no such value as null',
        'csv',
        'plain,maybe,x,y,,bad,soon\n',
        ['"plain"', null, null, null, null, null, null],
      ],
      [
        'numbers in other forms',
        'csv',
        '1,1,1.0,2,3,2024-01-02,1s',
        ['1', true, null, 2, '3', '2024-01-02T00:00:00Z', 1_000_000_000],
      ],
      ['longer and shorter lines', 'csv', 'null,,,,"",,,9,9\n', [null, null, null, null, '', null, null]],
      ['lines that end early', 'scsv', '{"a":1};true\r\n', ['{"a":1}', true, null, null, null, null, null]],
      ['tabs', 'tsv', '"a ""b"""\tfalse\t1\t2\t"x\ty"\\N\n', ['"a \\"b\\""', false, 1, 2, 'x\ty\\N', null, null]],
      ['bars', 'psv', "null|true|1|2|\u0000\\'é|", [null, true, 1, 2, "\u0000\\'é", null, null]],
      [
        'objects',
        'json',
        '{"d":{"a":[1]},"b":true,"l":9007199254740993,"r":1,"s":"x","t":"2024-01-02","u":"1s","z":0}',
        ['{"a":[1]}', true, 9_007_199_254_740_993n, 1, 'x', '2024-01-02T00:00:00Z', 1_000_000_000],
      ],
      [
        'objects in an array',
        'multijson',
        '[{"d":"12","l":"x","s":{"a":1}}]',
        ['"12"', null, null, null, '{"a":1}', null, null],
      ],
    ])('%s', (_, format, text, wanted) =>
      expect(rows(`externaldata (${all}) ["${root}a.${format}"]`, { [`a.${format}`]: text })).toEqual([wanted]),
    );

    it.each([
      ['a.csv.zip', 'x\n'],
      ['a.JSON.gz', '{"a":"x"}'],
      ['list.domain', 'x\n'],
    ])('the format follows from the name %s', (name, text) =>
      expect(rows(`externaldata (a:string) ["${root}${name}"]`, { [name]: text })).toEqual([['x']]),
    );

    it('one object over several lines', () =>
      expect(rows(`externaldata (a:string) ["${root}a"] with (format="singlejson")`, { a: '{\n"a":\n"x"}' })).toEqual([
        ['x'],
      ]));

    it.each(['txt', 'raw'])('lines of %s', (format) =>
      expect(rows(`externaldata (line:string) ["${root}a.${format}"]`, { [`a.${format}`]: 'a,"b\n\n\\N' })).toEqual([
        ['a,"b'],
        [''],
        ['\\N'],
      ]),
    );

    it.each(['csv', 'tsv', 'txt', 'json'])('an empty file of %s', (format) => {
      const source = `externaldata (a:string) ["${root}a"] with (format="${format}")`;
      expect(rows(`${source} | count`, { a: '' })).toEqual([[0]]);
      if (format !== 'json') expect(rows(`${source.slice(0, -1)}, ignoreFirstRecord=true)`, { a: 'a\n' })).toEqual([]);
    });

    const files = { 'a.psv': 'name|n\nada|1\nbob|2\n', 'b.csv': 'ada,3\n', 'c.csv': '2261-12-31T00:00:00Z\n' };
    const a = `externaldata (name:string, n:long) ["${root}a.psv"] with (ignoreFirstRecord=true)`;
    const b = `externaldata (name:string, n:long) ["${root}b.csv"]`;
    it.each([
      ['a value', `print x = toscalar(${a} | count)`, [[2]]],
      ['a list', `print x = "ada" in (${a} | project name), y = "name" in (${a} | project name)`, [[true, false]]],
      ['a join', `${b} | join (${a}) on name | project n, n1`, [[3, 1]]],
      [
        'a union',
        `union withsource=from (${a}), (${b}) | sort by n asc | project from, name, n`,
        [
          [`${root}a.psv`, 'ada', 1],
          [`${root}a.psv`, 'bob', 2],
          [`${root}b.csv`, 'ada', 3],
        ],
      ],
      [
        'several files',
        `externaldata (name:string, n:long) ["${root}b.csv", "${root}b.csv"] | summarize sum(n) by name`,
        [['ada', 6]],
      ],
      // Its times are not within the range of the query, as those of a dataset are.
      ['a time', `externaldata (_time:datetime) ["${root}c.csv"] | project _time + 365d`, [[null]]],
      ['a let', `let a = ${a}; let b = ${b}; b | extend x = toscalar(a | summarize sum(n)) | project n, x`, [[3, 3]]],
    ])('in %s', (_, text, wanted) => expect(rows(text, files)).toEqual(wanted));
  });

  it.each([
    ['another host', 'https://example.com/a.csv'],
    ['a user in front of it', 'https://data.example.com@evil.org/a.csv'],
    ['a file', 'file:///etc/passwd'],
  ])('refuses %s', (_, url) =>
    expect(compileText(`externaldata (a:string) ["${url}"]`, { externalHosts }).kind).toBe('failed'),
  );

  it('never lets the engine fetch anything', () => {
    const text = `externaldata (a:string) ["${root}a.csv"]`;
    expect(printQuery(compileOrThrow(text, { externalHosts, files: filesOf({ 'a.csv': "'x" }) }).query)).toContain(
      "format('TSV', 'c0 Nullable(String)', '\\'x')",
    );
  });

  it('knows its options', () => {
    const source = 'externaldata (a:string) ["https://data.example.com/a.psv"]';
    expect(messages(`${source} with (format="yaml")`)[0]).toMatch(/^no format yaml/);
    expect(messages(`${source} with (Format=1)`)[0]).toMatch(/^externaldata has the options/);
    expect(messages(`${source} with (ingestionMapping="a")`)[0]).toMatch(/^externaldata has the options/);
    expect(messages('externaldata (a:string, b:string) ["https://data.example.com/a.txt"]')[0]).toMatch(
      /exactly one column/,
    );
  });
});
