import { describe, expect, test } from 'vitest';
import { findings, readQuery } from '../testing/check-syntax.js';
import { quoteName } from './names.js';
import { parse } from './parse.js';

describe('sources', () => {
  test.each([
    ['logs', 'logs'],
    [`['web-logs']`, `'web-logs'`],
    ['["web logs"]', `'web logs'`],
    ['web* | count', 'web* | count'],
    [`['web-']* | count`, `'web-*' | count`],
    [`['web-*']`, String.raw`'web-\*'`],
    ['* | count', '* | count'],
    ['(logs | where a) | count', '(logs | (where a)) | count'],
    ['table("x") | count', '(table "x") | count'],
    ['print 1, a = "x"', '(print 1 a="x")'],
    ['print (1)', '(print 1)'],
    ['print | count', 'print | count'],
    ['range n from 1 to 10 step 2', '(range n 1 10 2)'],
    ['range | count', 'range | count'],
    [
      'datatable (a: string, b: int) ["x", 1, "y", -2,] | count',
      '(datatable a:string b:long | "x" 1 "y" (- 2)) | count',
    ],
    ['datatable(a: real)[]', '(datatable a:real |)'],
    [
      'externaldata (a: string) ["https://x.example/a", "https://x.example/b"] with (format="csv", ignoreFirstRecord=true)',
      '(externaldata a:string | "https://x.example/a" "https://x.example/b" format="csv" ignoreFirstRecord=true)',
    ],
    ['union a, b | count', '(union (a) (b)) | count'],
    ['union | count', 'union | count'],
    ['search in (a*, b) "x" | count', '(search [a* b] "x") | count'],
    ['search kind=case_sensitive in (a) "x"', '(search_cs [a] "x")'],
  ])('%s', (text, tree) => expect(readQuery(text)).toBe(tree));
});

describe('pipes and comments', () => {
  test.each([
    ['logs\n| where a\n| count', 'logs | (where a) | count'],
    ['logs |\nwhere a |\ncount', 'logs | (where a) | count'],
    ['logs // c\r| count', 'logs | count'],
    ['logs // c\u2028| count', 'logs | count'],
    ['logs // first\n// | where nothing\n| count // done', 'logs | count'],
    ['\ufefflogs\u00a0| count;', 'logs | count'],
  ])('%j', (text, tree) => expect(readQuery(text)).toBe(tree));

  test('the dots for omitted steps in printed examples do nothing', () => {
    expect(findings('logs | ... | count')).toEqual([
      '(warning) logs | «...» ... stands for steps left out; it does nothing',
    ]);
  });
});

describe('statements', () => {
  test.each([
    ['let x = 5; logs | take x', '(let x 5); logs | (take x)'],
    [`let ['a b'] = ago(1h); logs`, `(let 'a b' (ago 3600000000000ns)); logs`],
    ['let l = dynamic(["a"]);\nlogs | where a in (l)', '(let l (dynamic ["a"])); logs | (where (in a l))'],
    ['let t = logs | where a; t | count', '(let t (logs | (where a))); t | count'],
    ['let t = (logs | where a); t', '(let t ((logs | (where a)))); t'],
    ['let t = datatable(a: int)[1]; t', '(let t ((datatable a:long | 1))); t'],
    ['let t = externaldata(a: int)["u"]; t', '(let t ((externaldata a:long | "u"))); t'],
    [`let t = union ['a-b'], c; t`, `(let t ((union ('a-b') (c)))); t`],
    ['let t = search in (a) "x"; t', '(let t ((search [a] "x"))); t'],
    ['let t = print 1; t', '(let t ((print 1))); t'],
    ['let n = toscalar(logs | count) + 1; print n', '(let n (+ (toscalar (logs | count)) 1)); (print n)'],
    [
      'let f = (a: long, b: string = "q") { a + strlen(b) }; print f(1)',
      '(function f (a:long b:string="q") (+ a (strlen b))); (print (f 1))',
    ],
    [
      'let f = (t: (*), u: (a: long)) { t | join u on a; }; f(x, y) | count',
      '(function f (t:table u:table) (t | (join inner (u) a))); (f x y) | count',
    ],
    ['let f = () { 1 }; print f()', '(function f () 1); (print (f))'],
    ['set stricttypes; logs', '(set stricttypes); logs'],
    ['set limit = 5; logs', '(set limit 5); logs'],
    [
      'declare query_parameters (a: string = "x", b: int); logs | where c == a',
      '(declare a:string="x" b:long); logs | (where (== c a))',
    ],
    ['let | count', 'let | count'],
    ['set | count', 'set | count'],
  ])('%s', (text, tree) => expect(readQuery(text)).toBe(tree));
});

test('a quoted name is one line and reads as the name', () => {
  const name = "it's\\n\n\r\u2028\u2029";
  expect(quoteName(name)).not.toMatch(/[\n\r\u2028\u2029]/);
  const { program, diagnostics } = parse(`${quoteName(name)} | count`);
  expect(diagnostics).toEqual([]);
  expect(program.query?.source).toMatchObject({ pattern: { text: name } });
});
