import { describe, expect, test } from 'vitest';
import { readExpr } from '../testing/check-syntax.js';
import { infixOperators, signOperators } from './infix-operators.js';

describe('precedence', () => {
  test.each([
    ['a or b and c', '(or a (and b c))'],
    ['a and b and c', '(and (and a b) c)'],
    ['a == b and c != d', '(and (== a b) (!= c d))'],
    ['a <> b', '(!= a b)'],
    ['a < b == c', '(== (< a b) c)'],
    ['a + b < c * d', '(< (+ a b) (* c d))'],
    ['a - b - c', '(- (- a b) c)'],
    ['a / b % c', '(% (/ a b) c)'],
    ['(a + b) * c', '(* (+ a b) c)'],
    ['a + b contains "x"', '(+ a (contains b "x"))'],
    ['a * b =~ "x"', '(* a (=~ b "x"))'],
    ['-a.b * +c', '(* (- (. a b)) (+ c))'],
    ['- - 5', '(- (- 5))'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));

  test('a long chain of or becomes a shallow tree', () => {
    const terms = Array.from({ length: 5000 }, (_, index) => `x == ${index}`);
    const tree = readExpr(terms.join(' or '));
    expect(tree.match(/\(== x \d+\)/g)).toEqual(terms.map((_, index) => `(== x ${index})`));
    expect(deepest(tree)).toBeLessThan(50);
  });
});

function deepest(tree: string): number {
  let depth = 0;
  let max = 0;
  for (const char of tree) {
    if (char === '(') max = Math.max(max, ++depth);
    else if (char === ')') depth--;
  }
  return max;
}

describe('not', () => {
  test.each([
    ['not(a) == b', '(== (not a) b)'],
    ['not a == b and c', '(and (not (== a b)) c)'],
    ['not a contains "x" or b', '(or (not (contains a "x")) b)'],
    ['not not a', '(not (not a))'],
    ['a == not b', '(== a (not b))'],
    ['not == 1', '(== not 1)'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));
});

describe('names and paths', () => {
  test.each([
    ['status', 'status'],
    ['_time', '_time'],
    [`['geo.city']`, `'geo.city'`],
    ['["a b"]', `'a b'`],
    [String.raw`['labels.app\\.io/name']`, String.raw`'labels.app\.io/name'`],
    ['a.b.c', '(. (. a b) c)'],
    ['dynamic(null).a[0]', '([] (. null:dynamic a) 0)'],
    [`a.['b.c']`, `(. a 'b.c')`],
    [`['map.field'].x['y.z'][0]`, `([] ([] (. 'map.field' x) "y.z") 0)`],
    ['a[b + 1]', '([] a (+ b 1))'],
    ['spans[*].name', '(. ([*] spans) name)'],
    ['f(x)[0].y', '(. ([] (f x) 0) y)'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));
});

describe('calls', () => {
  test.each([
    ['now()', '(now)'],
    ['round(100.0 * countif(p) / count(), 2)', '(round (/ (* 100.0 (countif p)) (count)) 2)'],
    ['arg_max(best = v, who = a)', '(arg_max best=v who=a)'],
    ['arg_max(v, *)', '(arg_max v *)'],
    ['toscalar(logs | count)', '(toscalar (logs | count))'],
    [`toscalar((['a-b'] | count))`, `(toscalar (('a-b' | count)))`],
    ['f(g(h(1)))', '(f (g (h 1)))'],
    ['iff(a, dynamic(null), b)', '(iff a null:dynamic b)'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));
});

describe('lists and ranges', () => {
  test.each([
    ['x in (1, 2)', '(in x 1 2)'],
    ['x in ()', '(in x)'],
    ['x !in~ ("a", "b")', '(!in~ x "a" "b")'],
    ['x in (methods)', '(in x methods)'],
    ['x in methods', '(in x methods)'],
    ['x in dynamic([1])', '(in x (dynamic [1]))'],
    ['x in (logs | project y)', '(in x (logs | (project y)))'],
    [`x in (['a b'] | take 1 | project y)`, `(in x ('a b' | (take 1) | (project y)))`],
    ['x in (datatable(a: int)[1])', '(in x ((datatable a:long | 1)))'],
    ['x in (union a, b)', '(in x ((union (a) (b))))'],
    ['x has_any_cs ("a", b)', '(has_any_cs x "a" b)'],
    ['x !has_all ("a")', '(!has_all x "a")'],
    ['x between (1 .. 5)', '(between x 1 5)'],
    ['x between (1..5)', '(between x 1 5)'],
    ['x !between (a - 1d .. now())', '(!between x (- a 86400000000000ns) (now))'],
  ])('%s', (text, tree) => expect(readExpr(text)).toBe(tree));
});

describe('every operator between two values', () => {
  const operand = (kind: string): string => (kind === 'between' ? '(1 .. 2)' : kind === 'membership' ? '("b")' : '"b"');
  test.each([...infixOperators.values()].map(({ name, kind }) => [`a ${name} ${operand(kind)}`, name] as const))(
    '%s',
    (text, name) => expect(readExpr(text).startsWith(`(${name} a `)).toBe(true),
  );
  test.each(signOperators.map(({ name }) => name))('a %s b', (name) =>
    expect(readExpr(`a ${name} b`)).toBe(`(${name} a b)`),
  );
});

test('any keyword names a field where it can be nothing else', () => {
  const words =
    'and or not in contains has between by on with to from step default asc desc nulls first last kind let set where count summarize datatable print typeof dynamic datetime';
  for (const word of words.split(' ')) {
    expect(readExpr(`${word} == 1`)).toBe(`(== ${word} 1)`);
    expect(readExpr(`f(1 + ${word})`)).toBe(`(f (+ 1 ${word}))`);
  }
});
