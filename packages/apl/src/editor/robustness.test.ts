import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../../tests/support/depth.js';
import { infixOperators, signOperators } from '../syntax/infix-operators.js';
import { operators, sources, statements } from '../syntax/lexing/keywords.js';
import { sampleCatalog } from '../testing/editor.js';
import { complete } from './complete.js';
import { diagnose } from './diagnose.js';
import { format } from './format.js';
import { hover } from './hover.js';
import { signatureHelp } from './signature-help.js';

/** Invalid results at a position: spans outside the text. */
function wrongAt(text: string, offset: number): readonly unknown[] {
  const found = hover(text, offset, sampleCatalog);
  const help = signatureHelp(text, offset);
  return [
    ...complete(text, offset, sampleCatalog).filter(({ range }) => !isWithin(text, range)),
    ...(found === undefined || isWithin(text, found.range) ? [] : [found]),
    ...(help === undefined || help.activeSignature < help.signatures.length ? [] : [help]),
  ];
}

/** Invalid spans in the findings of a whole text. Formatting it must not throw. */
function wrongIn(text: string): readonly unknown[] {
  const found = diagnose(text, sampleCatalog);
  const places = found.flatMap(({ span, fixes }) => [
    span,
    ...fixes.flatMap(({ edits }) => edits.map(({ range }) => range)),
  ]);
  return [...places, ...format(text).diagnostics.map(({ span }) => span)].filter((span) => !isWithin(text, span));
}

const isWithin = (text: string, { start, end }: { readonly start: number; readonly end: number }): boolean =>
  start >= 0 && start <= end && end <= text.length;

const everywhere = (text: string): readonly unknown[] =>
  Array.from({ length: text.length + 1 }, (_, at) => wrongAt(text, at)).flat();

const queries = [
  `let errors = logs | where level in~ ("error", 'fatal'); errors | join kind=leftouter (logins | project id, user) on $left.id == $right.id`,
  `logs | extend n = strlen(method), c = ['geo.city'] | summarize n = count(), avg(id) by bin(_time, 5m), method | sort by n desc nulls last | take 10`,
  `let f = (x: long, y: string = "q") { logs | where id == x }; f(1) | mv-apply t = tags on (where t == "a" | extend u = t) // end`,
  `search in (logs) "a" and method:"b" | parse message with "(" n:long ")" * | make-series count() default=0 on _time from ago(1d) to now() step 1h by method`,
  `union withsource=src log*, ['web-logs'] | evaluate pivot(method, count()) | render timechart with (title="x") | project-away id*`,
];

test.each(queries)('at every place of a query, and at the end of its prefixes: %s', (query) => {
  expect(everywhere(query)).toEqual([]);
  for (let at = 0; at <= query.length; at += 2) expect(wrongAt(query.slice(0, at), at)).toEqual([]);
});

test.each(queries)('with two characters missing: %s', (query) => {
  for (let at = 0; at < query.length; at += 3) expect(wrongIn(query.slice(0, at) + query.slice(at + 2))).toEqual([]);
});

/** Fragments of queries, for texts that get past the first checks of the services. */
const pieces = [
  ...[...operators, ...sources, ...statements].map(({ name }) => name),
  ...[...infixOperators.values(), ...signOperators].map(({ name }) => name),
  ...'| | | ; , . : = ( ( ) [ ] { } .. ... ! * - logs logins id method tags "a" \' [\' ``` “ // \n _time $left. 1 2h datetime( typeof( count() by on with kind= default='.split(
    ' ',
  ),
];
const piecewise = fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((words) => words.join(' '));
const anyText = fc.oneof(
  piecewise,
  piecewise.map((text) => `logs | ${text}`),
  fc.string({ unit: 'binary' }),
);

describe('any text, any offset', () => {
  const offsets = fc.oneof(fc.nat(120), fc.constantFrom(-1, 1.5, Number.NaN, Infinity, -Infinity, 1e9));
  test('completion, hover and signatures', () => {
    const failure = fc.check(
      fc.property(anyText, offsets, (text, at) => wrongAt(text, at).length === 0),
      { numRuns: caseCount(150, 5_000) },
    );
    expect(failure.counterexample).toBeNull();
  });
  test('diagnostics and formatting', () => {
    const failure = fc.check(
      fc.property(anyText, (text) => wrongIn(text).length === 0),
      { numRuns: caseCount(100, 3_000) },
    );
    expect(failure.counterexample).toBeNull();
  });
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('names that all objects have: %s', (name) => {
    const text = `${name} | ${name} ${name}(${name}) | where ${name}(${name}.${name}`;
    expect([...everywhere(text), ...wrongIn(text)]).toEqual([]);
  });
  test.each([
    ['brackets without end', '('.repeat(3000)],
    ['calls without end', 'logs | where f('.repeat(300)],
    ['a text too long to be read', `logs | where id == ${'1 + '.repeat(400_000)}`],
  ])('%s', (_, text) => {
    expect([...wrongAt(text, text.length), ...wrongIn(text)]).toEqual([]);
  });
});

// Their speed depends on the machine. This only checks that the time is not quadratic in the lines.
test('a query of many lines is answered in time', () => {
  const steps = [
    '| extend n = strlen(method), upper = toupper(method)',
    '| where id > 10 and method contains "GET" // why',
    '| project-reorder id, m*',
  ];
  const text = `logs\n${Array.from({ length: 400 }, (_, line) => steps[line % steps.length]).join('\n')}\n| where `;
  const services: Readonly<Record<string, () => unknown>> = {
    complete: () => complete(text, text.length, sampleCatalog),
    hover: () => hover(text, text.indexOf('upper', text.length - 300), sampleCatalog),
    signatureHelp: () => signatureHelp(text, text.lastIndexOf('strlen(') + 7),
    format: () => format(`${text} id == 1`),
    diagnose: () => diagnose(`${text} id == 1`, sampleCatalog),
  };
  for (const [name, service] of Object.entries(services)) {
    // CPU time, because the machine may be busy with other things.
    const begun = process.cpuUsage();
    service();
    const { user, system } = process.cpuUsage(begun);
    expect([name, (user + system) / 1000 < 3000]).toEqual([name, true]);
  }
});
