import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { infixOperators, signOperators } from '../syntax/infix-operators.js';
import { operators, sources, statements } from '../syntax/keywords.js';
import { editorCatalogue } from '../testing/editor.js';
import { complete } from './complete.js';
import { diagnose } from './diagnose.js';
import { format } from './format.js';
import { hover } from './hover.js';
import { signatureHelp } from './signature-help.js';

/** Asks for everything at a place; what is answered lies within the text. */
function askAll(text: string, offset: number): void {
  for (const { range } of complete(text, offset, editorCatalogue)) expectWithin(text, range);
  const found = hover(text, offset, editorCatalogue);
  if (found !== undefined) expectWithin(text, found.range);
  const help = signatureHelp(text, offset);
  if (help !== undefined) expect(help.activeSignature).toBeLessThan(help.signatures.length);
}

function askText(text: string): void {
  for (const { span, fixes } of diagnose(text, editorCatalogue)) {
    expectWithin(text, span);
    for (const { edits } of fixes) for (const { range } of edits) expectWithin(text, range);
  }
  format(text);
}

function expectWithin(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
  if (!(start >= 0 && start <= end && end <= text.length)) expect.fail(`${start}..${end} is not within ${text.length}`);
}

const queries = [
  `let errors = logs | where level in~ ("error", 'fatal'); errors | join kind=leftouter (logins | project id, user) on $left.id == $right.id`,
  `logs | extend n = strlen(method), c = ['geo.city'] | summarize n = count(), avg(id) by bin(_time, 5m), method | sort by n desc nulls last | take 10`,
  `let f = (x: long, y: string = "q") { logs | where id == x }; f(1) | mv-apply t = tags on (where t == "a" | extend u = t) // end`,
  `search in (logs) "a" and method:"b" | parse message with "(" n:long ")" * | make-series count() default=0 on _time from ago(1d) to now() step 1h by method`,
  `union withsource=src log*, ['web-logs'] | evaluate pivot(method, count()) | render timechart with (title="x") | project-away id*`,
];

test('at every place of queries, and of each of their beginnings', () => {
  for (const query of queries) {
    for (let at = 0; at <= query.length; at++) {
      askAll(query, at);
      askAll(query.slice(0, at), at);
    }
  }
});

test('texts that lack a part', () => {
  for (const query of queries)
    for (let at = 0; at < query.length; at += 3) askText(query.slice(0, at) + query.slice(at + 2));
});

/** Pieces that get far into a query. */
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
    fc.assert(fc.property(anyText, offsets, askAll), { numRuns: 500 });
  });
  test('findings and form', () => {
    fc.assert(fc.property(anyText, askText), { numRuns: 300 });
  });
  test('names that objects have by themselves', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const text = `${name} | ${name} ${name}(${name}) | where ${name}(${name}.${name}`;
      for (let at = 0; at <= text.length; at++) askAll(text, at);
      askText(text);
    }
  });
  test('brackets without end, and a text too long to be read', () => {
    for (const text of [
      '('.repeat(3000),
      'logs | where f('.repeat(300),
      `logs | where id == ${'1 + '.repeat(400_000)}`,
    ]) {
      askAll(text, text.length);
      askText(text);
    }
  });
});

test('a query of a hundred lines takes less than 10 ms', () => {
  const steps = [
    '| extend n = strlen(method), upper = toupper(method)',
    '| where id > 10 and method contains "GET" // why',
    '| project-reorder id, m*',
  ];
  const text = `logs\n${Array.from({ length: 99 }, (_, line) => steps[line % steps.length]).join('\n')}\n| where `;
  const services: Readonly<Record<string, () => unknown>> = {
    complete: () => complete(text, text.length, editorCatalogue),
    hover: () => hover(text, text.indexOf('upper', text.length - 300), editorCatalogue),
    signatureHelp: () => signatureHelp(text, text.lastIndexOf('strlen(') + 7),
    format: () => format(`${text} id == 1`),
    diagnose: () => diagnose(`${text} id == 1`, editorCatalogue),
  };
  for (const [name, service] of Object.entries(services)) {
    // The fastest of some runs: the machine may be busy with other things.
    const times = Array.from({ length: 15 }, () => {
      const begin = performance.now();
      service();
      return performance.now() - begin;
    });
    expect([name, Math.min(...times) < 10]).toEqual([name, true]);
  }
});
