import { printQuery } from '@millrace/sql';
import { array, assert, constantFrom, property } from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { parseJson, testEngine } from '../../testing/engine.js';
import { textPartFunctions } from '../../testing/evaluator/functions/text-part.js';

const engine = testEngine();

const rowsOf = (apl: string): readonly (readonly unknown[])[] => engine.rows(compileOrThrow(apl).query);
const sqlOf = (apl: string): string => printQuery(compileOrThrow(apl).query);

/** Reads the object as any other dynamic value is read. */
const opaque = (object: string): string => `coalesce(${object}, dynamic(null))`;

const table = (texts: readonly string[]): string =>
  `datatable(t:string)[${texts.map((text) => JSON.stringify(text)).join(', ')}, string(null)]`;

interface Subject {
  readonly name: string;
  readonly keys: readonly string[];
  readonly texts: readonly string[];
  /** Pieces that random texts are made of. */
  readonly pieces: readonly string[];
}

const subjects: readonly Subject[] = [
  {
    name: 'parse_url',
    keys: [
      'scheme',
      'host',
      'port',
      'path',
      'username',
      'password',
      'query',
      'fragment',
      'hostname',
      'toString',
      '',
      'é"',
    ],
    texts: [
      '',
      'https://u:p%40@example.com:8080/a/b?x=1&y=2#top',
      'http://[::1]/é',
      'http://u@[fe80::1%25eth0]:443/?[x]#[y]',
      'http://[a/b?c#d]:1/e?f#g',
      'http://[::1',
      'http://[a@b]c',
      'http://[a]@[b:1/c',
      'http://[]:1',
      'http://h:80abc/x',
      'http://h:/x',
      'http://h::1',
      'http://a:b@c:d@e:5/f',
      '//h/x',
      '///x',
      '/only/path?a=/b://c#?d#e',
      'a/b:c',
      'mailto:a@b.c?subject=x',
      'a:b://c/d',
      'x+1-2.y://h',
      '1x://h',
      '://h',
      ':',
      '?',
      '#',
      '?a#b?c',
      '#a?b',
      'http://ü:ß%C3%A9%ff@日本:1/😀?é=ü#ß',
      'http://h/a\nb?c\nd#e\nf',
      'http://h/"\\\u0001\t',
      'http://%75:%70:q@h',
      ' http://h',
      'http://h\\x@y/z',
    ],
    pieces: [
      'http',
      ':',
      '/',
      '//',
      '@',
      '[',
      ']',
      '?',
      '#',
      '::1',
      '8',
      'h.é',
      '%40',
      '%',
      '&',
      '=',
      '\n',
      '"',
      '\\',
      '\u0001',
      '😀',
    ],
  },
  {
    name: 'parse_urlquery',
    keys: ['a', 'b', 'é', '', '"', 'a b', 'A', 'a=b', '?a'],
    texts: [
      '',
      '?',
      '?a=1&b=x%20y+z&c',
      'a=1&a=2&%61=3',
      '%61=3&a=1',
      '=x&a',
      '&&a=&&',
      'a==b=c&a%3Db=d',
      'é=ü&%C3%A9=x',
      '%22=%22&%ff=%ff',
      'a+b=1+2&a%20b=3',
      '??a=1',
      'a=1#x&b=2',
      'a=%',
      'a=%zz&b=%2',
      'a=1\nb=2&b=\u0001',
    ],
    pieces: ['a', 'b', '=', '&', '?', '%61', '%', '+', 'é', '%C3%A9', '"', '%22', ' ', '\\', '\n', '😀'],
  },
  {
    name: 'parse_path',
    keys: [
      'Scheme',
      'RootPath',
      'DirectoryPath',
      'DirectoryName',
      'Filename',
      'Extension',
      'AlternateDataStreamName',
      'filename',
    ],
    texts: [
      '',
      'C:\\temp\\file.tar.gz',
      '/usr/lib/é.txt',
      '\\\\share\\users\\a.txt:stream',
      'file:///c:/x/y',
      'file://',
      'ab://x',
      'a://b',
      'a:b:c',
      '/',
      '//',
      '\\/',
      '/x',
      '/x/',
      '/x//y',
      '.hidden',
      'a.',
      'a..b',
      '.',
      '..',
      '/c:/',
      'c:',
      'a/b:c/d:e:f',
      'x/\n.y',
      'x/"\\\u0001.é',
    ],
    pieces: ['c', ':', '/', '\\', '.', '..', 'ab', '://', 'é', '\n', '"', '😀'],
  },
];

const project = ({ keys }: Subject, object: string): string =>
  keys
    .flatMap((key) => [`${object}[${JSON.stringify(key)}]`, `toint(${object}[${JSON.stringify(key)}])`])
    .map((apl, i) => `x${i} = ${apl}`)
    .join(', ');

/**
 * Members read from the texts, from a column and from the objects, which must be equal; and the
 * objects themselves, compared with another implementation.
 */
function answers(subject: Subject, texts: readonly string[]): { readonly given: unknown; readonly wanted: unknown } {
  const object = `${subject.name}(t)`;
  const column = `${table(texts)} | extend o = ${object} | extend n = row_number() | where n > 0`;
  const members = rowsOf(`${table(texts)} | project ${project(subject, opaque(object))}`);
  // The other implementation cannot decode invalid UTF-8.
  const plain = texts.filter((text) => !text.includes('%'));
  const objects = rowsOf(`${table(plain)} | project ${object}`).flat();
  return {
    given: [
      rowsOf(`${table(texts)} | project ${project(subject, object)}`),
      rowsOf(`${column} | project ${project(subject, 'o')}`),
      objects.map((json) => (json === null ? null : parseJson(String(json)))),
    ],
    wanted: [members, members, [...plain.map((text) => textPartFunctions[subject.name]![0]!.of(text as never)), null]],
  };
}

/** Sets whether the engine compiles regular expressions, as it does for frequent ones. */
const compiles = (yes: boolean): unknown =>
  engine.text(`SET compile_regular_expressions = ${Number(yes)}, min_count_to_compile_regular_expression = 0`);

describe.each(subjects)('$name', (subject) => {
  it('finds a constant member in the text, also behind a subquery', () => {
    const [key = ''] = subject.keys;
    const member = sqlOf(`${table([''])} | project x = tostring(${subject.name}(t)['${key}'])`);
    expect(member).not.toMatch(/toJSONString|JSONExtractRaw/);
    const row = `${table([''])} | extend o = ${subject.name}(t) | extend n = row_number() | where n > 0`;
    const [outer = ''] = sqlOf(`${row} | project x = tostring(o['${key}'])`).split(' FROM ');
    expect(outer).toMatch(/`o@\d+@text`/);
    expect(outer).not.toContain('JSON');
  });

  describe.each([false, true])('gives what the object has, with compiled regular expressions: %s', (yes) => {
    beforeAll(() => void compiles(yes));

    it('for odd texts', () => {
      const { given, wanted } = answers(subject, subject.texts);
      expect(given).toEqual(wanted);
    });

    it('for any text', { timeout: 300_000 }, () => {
      const text = array(constantFrom(...subject.pieces), { maxLength: 12 }).map((pieces) => pieces.join(''));
      const agree = property(array(text, { minLength: 60, maxLength: 60 }), (texts) => {
        const { given, wanted } = answers(subject, texts);
        expect(given).toEqual(wanted);
      });
      assert(agree, { numRuns: 1, endOnFailure: true });
    });
  });
});

describe('a member behind other operators', () => {
  const url = 'https://u:p@h:1/a?b=c#d';
  const rows = table([url, '/x', 'https://u:p@h:1/z']);
  it.each([
    [
      'groups',
      `${rows} | summarize n = count() by o = parse_url(t) | order by n, tostring(o.path) | project o.host, o.path`,
    ],
    [
      'a join',
      `${rows} | extend o = parse_url(t) | join kind=leftouter (${table(['/x'])} | extend p = parse_url(t)) on t | order by t | project o.path, p.path`,
    ],
    ['a limit', `${rows} | extend o = parse_url(t) | top 2 by t | extend q = o | project o.path, q.query, t`],
    [
      'a union',
      `union (${rows} | extend o = parse_url(t)), (${rows} | extend o = parse_url(t)) | order by t | project o.host, o.path`,
    ],
    [
      'an expansion',
      `${rows} | extend o = parse_url(t), l = dynamic([1, 2]) | mv-expand l | order by t, tostring(l) | project l, o.host, o.path`,
    ],
    [
      'parsed JSON',
      `${table(['{"a":1,"b":[2]}', 'no', '7'])} | extend o = parse_json(t) | top 3 by t | extend a = o.a, b = o.b[0] | project a, b, o`,
    ],
  ])('%s', (_, apl) => {
    expect(rowsOf(apl)).toEqual(
      rowsOf(apl.replaceAll(/(\w+ = )(parse_\w+\(t\))/g, (__, to: string, object: string) => `${to}${opaque(object)}`)),
    );
  });
});
