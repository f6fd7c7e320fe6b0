import { describe, expect, test } from 'vitest';
import { parse } from '../syntax/parse.js';
import { renderer } from './render.js';

function renderLine(stages: string, line: string, fields: Readonly<Record<string, string>> = {}) {
  const query = parse(`{a="b"} ${stages}`);
  if (query.kind !== 'log') throw new Error('a log query is expected');
  const { line: text, parsed } = renderer(query.log.stages)(line, new Map(Object.entries(fields)));
  return { line: text, ...Object.fromEntries(parsed) };
}

describe('parsers', () => {
  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['| json', '{"a":1.50,"b":{"c d":true,"e":[1]},"f":null,"9x":"y"}', { a: '1.50', b_c_d: 'true', _9x: 'y' }],
    ['| json', '{"n":12345678901234567890,"s":"1.50 \\"2\\""}', { n: '12345678901234567890', s: '1.50 "2"' }],
    ['| json', '[1]', { __error__: 'JSONParserErr' }],
    [`| json x="a['b c'][1]", y="a"`, '{"a":{"b c":[1,"two"]}}', { x: 'two', y: '{"b c":[1,"two"]}' }],
    ['| logfmt', 'a=1 b="x \\"y\\"" c= d e=2=3 a=4', { a: '1', b: 'x "y"', e: '2=3' }],
    ['| logfmt x="a.b"', 'a.b=1 c=2', { x: '1' }],
    ['| unpack', '{"_entry":"text","pod":"p","n":1}', { line: 'text', pod: 'p' }],
    ['| pattern "<ip> - <_> [<t>]"', '1.2.3.4 - bob [now] rest', { ip: '1.2.3.4', t: 'now' }],
    ['| pattern "x=<x>, y=<y>"', 'before x=1', { x: '1' }],
    ['| pattern "x=<x>"', 'nothing', {}],
    ['| regexp `(?P<m>\\w+) (?P<p>\\S+)`', 'GET /a b', { m: 'GET', p: '/a' }],
  ])('%s of %s', (stages, line, expected) => {
    expect(renderLine(stages, line)).toEqual({ line, ...expected });
  });
});

test('a label of the stream keeps its name', () => {
  expect(renderLine('| json', '{"app":"x"}', { app: 'web' })).toMatchObject({ app_extracted: 'x' });
});

test.each([
  ['{{.a}}-{{ .none }}-{{__line__}}', 'é-- line'],
  ['{{ToUpper .a}} {{.a | trimPrefix "é" | default "none"}}', 'É none'],
  ['{{ "x$1y" | replace "$1" "$2" }}', 'x$2y'],
  ['{{.b | regexReplaceAllLiteral "[0-9]+" "$n" | trimSuffix "c" | trim}}', 'a$nb'],
])('line_format %s', (template, expected) => {
  const { line } = renderLine(`| line_format \`${template}\``, ' line', { a: 'é', b: ' a12bc' });
  expect(line.trimEnd()).toBe(expected);
});
