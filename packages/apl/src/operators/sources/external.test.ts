import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printQuery } from '@millrace/sql';
import { compiled, compileText } from '../../testing/compile-text.js';
import { parseJson, testEngine } from '../../testing/engine.js';

const externalHosts = ['data.example.com'];
const messages = (text: string): readonly string[] =>
  compileText(text, { externalHosts }).diagnostics.map((d) => d.message);

describe('externaldata', () => {
  it('has each column once', () =>
    expect(messages('externaldata (a:string, a:long) ["https://data.example.com/a.csv"]')).toEqual([
      'there are two columns a',
    ]));

  it('is off unless hosts are allowed', () =>
    expect(compileText('externaldata (a:string) ["https://data.example.com/a.csv"]').diagnostics[0]?.message).toBe(
      'externaldata is switched off on this server',
    ));

  it('reads from an allowed host, without following it elsewhere', () => {
    const { query, output } = compiled(
      'externaldata (id:long, ["full name"]:string) ["https://data.example.com/people.csv"] with (ignoreFirstRecord=true) | where id > 1',
      { externalHosts },
    );
    expect(printQuery(query)).toBe(
      'SELECT `id@0` AS `id@`, `full name@1` AS `full name@` FROM (SELECT `id` AS `id@0`, `full name` AS `full name@1` ' +
        "FROM url('https://data.example.com/people.csv', 'CSV', '`id` Nullable(Int64), `full name` Nullable(String)') " +
        "SETTINGS max_http_get_redirects = 0, date_time_input_format = 'best_effort', input_format_csv_skip_first_lines = 1) " +
        'WHERE greater(`id@0`, toInt64(1)) LIMIT 1000',
    );
    expect(output.map((column) => column.name)).toEqual(['id', 'full name']);
  });

  describe('each table is read with its own options', () => {
    const engine = testEngine();
    const texts: Readonly<Record<string, string>> = {
      'a.psv': 'name|n\nada|1\nbob|2\n',
      'b.csv': 'ada,3\n',
      'c.csv': '2261-12-31T00:00:00Z\n',
    };
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'millrace-apl-'));
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** The rows of the query, with its files read from disk, because tests must not use the network. */
    function rows(text: string): readonly unknown[] {
      const sql = printQuery(compiled(text, { externalHosts }).query);
      const local = sql.replaceAll("url('https://data.example.com/", `file('${folder}/`);
      return engine.text(`${local} FORMAT JSONCompactEachRow`).trim().split('\n').map(parseJson);
    }

    const a = 'externaldata (name:string, n:long) ["https://data.example.com/a.psv"] with (ignoreFirstRecord=true)';
    const b = 'externaldata (name:string, n:long) ["https://data.example.com/b.csv"]';
    it.each([
      ['a value', `print x = toscalar(${a} | count)`, [[2]]],
      ['a list', `print x = "ada" in (${a} | project name), y = "name" in (${a} | project name)`, [[true, false]]],
      ['a join', `${b} | join (${a}) on name | project n, n1`, [[3, 1]]],
      [
        'a union',
        `union (${a}), (${b}) | sort by n asc | project name, n`,
        [
          ['ada', 1],
          ['bob', 2],
          ['ada', 3],
        ],
      ],
      // Its times are not within the range of the query, as those of a dataset are.
      ['a time', `externaldata (_time:datetime) ["https://data.example.com/c.csv"] | project _time + 365d`, [[null]]],
      ['a let', `let a = ${a}; let b = ${b}; b | extend x = toscalar(a | summarize sum(n)) | project n, x`, [[3, 3]]],
    ])('in %s', (_, text, wanted) => expect(rows(text)).toEqual(wanted));
  });

  it.each([
    ['another host', 'https://example.com/a.csv'],
    ['a host that only looks allowed', 'https://data.example.com.evil.org/a.csv'],
    ['a user in front of it', 'https://data.example.com@evil.org/a.csv'],
    ['a backslash', 'https://evil.org\\\\@data.example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['an address in another form', 'http://2130706433/'],
  ])('refuses %s', (_, url) =>
    expect(compileText(`externaldata (a:string) ["${url}"]`, { externalHosts }).kind).toBe('failed'),
  );

  it.each(['a.csv|http://example.com/b.csv', '{a,b}.csv,http://example.com/b.csv', 'a{1..3}*.csv', '?a={b,c}|d'])(
    'reads one file: %s',
    (path) => {
      const { query } = compiled(`externaldata (a:string) ["https://data.example.com/${path}"] with (format="csv")`, {
        externalHosts,
      });
      const [, url] = /url\('(.*?)'/.exec(printQuery(query))!;
      expect(url).not.toMatch(/[|{}*]/);
    },
  );

  it('knows its options', () => {
    const source = 'externaldata (a:string) ["https://data.example.com/a.psv"]';
    expect(printQuery(compiled(source, { externalHosts }).query)).toContain("format_csv_delimiter = '|'");
    expect(messages(`${source} with (format="yaml")`)[0]).toMatch(/^no format yaml/);
    expect(messages(`${source} with (colour="red")`)[0]).toMatch(/^externaldata has the options/);
    expect(messages('externaldata (a:string, b:string) ["https://data.example.com/a.txt"]')[0]).toMatch(
      /exactly one column/,
    );
  });
});
