import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../../tests/support/depth.js';
import type { Span } from './ast.js';
import { infixOperators, signOperators } from './infix-operators.js';
import { operators, sources, statements } from './lexing/keywords.js';
import { parse, parseExpression } from './parse.js';

const queries = [
  `['web-logs'] | where status >= 500 and not(uri contains "health") | summarize n = count(), percentile(took, 95) by bin(_time, 5m), host | sort by n desc nulls last | take 10`,
  `let errors = logs | where level in~ ("error", 'fatal'); let since = datetime(2024-01-15T10:00:00Z);\nerrors | where _time between (since .. since + 1h) | join kind=leftouter (users | project id, name) on $left.user == $right.id`,
  `declare query_parameters (host: string = "a", n: int = 5); set stricttypes; union withsource=src app*, ['db-*'] | where * has host | top n by _time`,
  `traces | extend ok = iff(status.code == 0, true, false), tag = tags["x y"][0], d = dynamic({"a": [1, 2.5, -3ms], "b": null}) | mv-expand t = tags to typeof(string) limit 5`,
  `datatable (a: string, b: dynamic) ["x", dynamic([1]), @'y\\d', dynamic({})] | parse kind=regex a with "(" n:long ")" * rest | project-away x*, ['y.']* | project-rename c = a`,
  `logs | make-series avg(took) default=0 on _time from ago(1d) to now() step 1h by host | extend s = series_max(avg_took, avg_took)\n// done\n| render timechart with (title="x")`,
  `search kind=case_sensitive in (logs) "failed*" and host:"db" or not user:"root" | redact replaceToken="*" @'\\d+' on message | getschema`,
  `let f = (x: long, y: string = "q") { logs | where n == x and s == y }; f(1) | serialize n = row_number() | top-nested 3 of a with others="o" by count() desc`,
];

/** Fragments of queries, for texts that get far into the parser. */
const pieces = [
  ...[...operators, ...sources, ...statements].map(({ name }) => name),
  ...[...infixOperators.values(), ...signOperators].map(({ name }) => name),
  ...'| ; , . : = ( ) [ ] { } .. ... ! * - "a" \'b\' @"c" ``` “ // /* \n x _time $left 1 2.5 3h 0x 1e datetime( timespan( dynamic( typeof( null true by on with kind= to from step default= asc nulls'.split(
    ' ',
  ),
];

/**
 * The spans that do not lie within the span of the enclosing node, or of the text for the
 * outermost.
 */
function* badSpans(value: object, outer: Span): Generator<Span> {
  let around = outer;
  if ('span' in value) {
    around = value.span as Span;
    if (around.start < outer.start || around.end > outer.end || around.end < around.start) yield around;
  }
  for (const inner of Object.values(value) as unknown[]) {
    if (typeof inner === 'object' && inner !== null && inner !== around) yield* badSpans(inner, around);
  }
}

function hasHole(value: object): boolean {
  if ('kind' in value && value.kind === 'error') return true;
  return Object.values(value).some((inner: unknown) => typeof inner === 'object' && inner !== null && hasHole(inner));
}

/** Checks the result of parsing any text; returns the violated invariants. */
function problems(text: string): readonly unknown[] {
  const { program, diagnostics } = parse(text);
  const whole = { start: 0, end: text.length };
  const found: unknown[] = [...badSpans({ span: whole, program }, whole), ...badSpans(diagnostics, whole)];
  if (program.span.start !== 0 || program.span.end !== text.length) found.push('the program does not cover the text');
  if (hasHole(program) && !diagnostics.some(({ severity }) => severity === 'error'))
    found.push('a hole is not reported');
  return found;
}

/** The smallest input found for which the property does not hold. */
const counterexample = <T>(property: fc.IProperty<T>, parameters?: fc.Parameters<T>): T | null =>
  fc.check(property, parameters).counterexample;

const isSound = (text: string): boolean => problems(text).length === 0;

test.each(queries)('the queries mutated below are correct: %s', (text) => {
  expect(parse(text).diagnostics).toEqual([]);
  expect(problems(text)).toEqual([]);
});

describe('never throws, spans nest, holes are reported', () => {
  test('every prefix and every suffix of a query', () => {
    for (const query of queries) {
      for (let at = 0; at <= query.length; at++) {
        expect(problems(query.slice(0, at))).toEqual([]);
        expect(problems(query.slice(at))).toEqual([]);
      }
    }
  });

  test('a query without one of its characters', () => {
    for (const query of queries) {
      for (let at = 0; at < query.length; at++) {
        expect(problems(query.slice(0, at) + query.slice(at + 1))).toEqual([]);
      }
    }
  });

  test('random texts', () => {
    expect(counterexample(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), isSound))).toBeNull();
  });

  test('random pieces', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((chosen) => chosen.join(' '));
    expect(counterexample(fc.property(text, isSound), { numRuns: caseCount(500, 20_000) })).toBeNull();
    const dense = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((chosen) => chosen.join(''));
    expect(counterexample(fc.property(dense, isSound), { numRuns: caseCount(500, 20_000) })).toBeNull();
  });

  test('pieces put into queries', () => {
    const mutation = fc.record({
      query: fc.constantFrom(...queries),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(12),
      piece: fc.constantFrom(...pieces),
    });
    expect(
      counterexample(
        fc.property(mutation, ({ query, at, cut, piece }) => {
          const start = Math.floor(at * query.length);
          return isSound(query.slice(0, start) + piece + query.slice(start + cut));
        }),
        { numRuns: caseCount(500, 20_000) },
      ),
    ).toBeNull();
  });

  test('random expressions', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((chosen) => chosen.join(' '));
    expect(
      counterexample(
        fc.property(text, (expression) => {
          const { expr } = parseExpression(expression);
          return [...badSpans(expr, { start: 0, end: expression.length })].length === 0;
        }),
        { numRuns: caseCount(300, 10_000) },
      ),
    ).toBeNull();
  });
});

test('a long run of stars does not exhaust the stack', () => {
  for (const stars of [20_000, 20_001]) expect(problems(`let x = print${' *'.repeat(stars)}; logs`)).toEqual([]);
});

/** Texts that make a careless parser start over at every character. */
test.each([
  '(',
  '[',
  '{',
  ')',
  '(]',
  '[)',
  '((((((((((]',
  '“',
  '„',
  '"',
  "'",
  '```',
  '@"',
  '/*',
  '//',
  'datetime(1 ',
  'datetime(',
  'a-',
  'a.',
  'a*',
  'a ',
  'a in (',
  'f(a;',
  '(;',
  '| ',
  '|where ',
  'let ',
  'let x = ',
  'a | b; ',
  '\\',
  '"\\d',
  ' ',
  '\n',
  '\u00a0',
  '1',
  '1.',
  '9d ',
  '0x',
  '!',
  '=',
  ',',
  '...',
  '| ...',
  'a,',
  'not ',
  'ä',
  '$',
  'x == 1 or ',
  'union ',
  'print ',
  't | parse x with a ',
  'dynamic([',
])('reads a long run of %j quickly', (piece) => {
  const text = piece.repeat(60_000 / piece.length);
  // CPU time, because other processes may use the machine too.
  const started = process.cpuUsage();
  parse(text);
  parse(`t | where ${text}`);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(3000);
});
