import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregates } from '../aggregates/index.js';
import { functions } from '../functions/index.js';
import { parse } from '../syntax/parse.js';
import { format } from './format.js';
import { sameTree } from './same-tree.js';

const lines = (...of: readonly string[]): string => `${of.join('\n')}\n`;

describe('one operator per line, blanks where they help', () => {
  test.each([
    ['logs', lines('logs')],
    ['logs|where id==1|count', lines('logs', '| where id == 1', '| count')],
    ['logs | project-away  geo*,  m* ', lines('logs', '| project-away geo*, m*')],
    ['logs|extend a=-1-2*b', lines('logs', '| extend a = -1 - 2 * b')],
    ['logs|summarize n=count( ),avg ( id )by method', lines('logs', '| summarize n = count(), avg(id) by method')],
    [
      'logs|join kind = inner(logins|where id>1)on id',
      lines('logs', '| join kind=inner (logins | where id > 1) on id'),
    ],
    ['logs|where a . b [ 0 ] [ "x" ]==1', lines('logs', '| where a.b[0]["x"] == 1')],
    ["['web-logs']|where['a b']in(1,2)", lines("['web-logs']", "| where ['a b'] in (1, 2)")],
    ['let a=1;let b = 2;\nlogs|take a', lines('let a = 1;', 'let b = 2;', 'logs', '| take a')],
    ['let T=logs|where id==1;T', lines('let T = logs', '    | where id == 1;', 'T')],
    [
      'let f=(x:long,y:string="a"){x+1};print f( 1 )',
      lines('let f = (x: long, y: string = "a") { x + 1 };', 'print f(1)'),
    ],
    ['let v=view(){logs|count};v()', lines('let v = view () { logs | count };', 'v()')],
    ['print d=dynamic({"a":[1,2],"b":{}})', lines('print d = dynamic({"a": [1, 2], "b": {}})')],
    ['logs|where _time>datetime( 2024-01-15 )', lines('logs', '| where _time > datetime(2024-01-15)')],
    ['logs|where id between(1..5)', lines('logs', '| where id between (1 .. 5)')],
    ['logs|parse message with "(" n:long ")" * rest', lines('logs', '| parse message with "(" n:long ")" * rest')],
    ['logs|search method:"GET"and "x"', lines('logs', '| search method:"GET" and "x"')],
    ['logs|project-reorder a granny-asc', lines('logs', '| project-reorder a granny-asc')],
    [
      'logs|make-series count()default = 0 on _time step 1h',
      lines('logs', '| make-series count() default=0 on _time step 1h'),
    ],
    ['logs|render timechart with(title = "x")', lines('logs', '| render timechart with (title="x")')],
    ['a;', lines('a;')],
    ['let a = 1;\n\n\n\nlogs', lines('let a = 1;', '', 'logs')],
    ['', ''],
  ])('%s', (text, expected) => expect(format(text).text).toBe(expected));
});

describe('long lines are broken', () => {
  const long = 'a_rather_long_name_of_a_column';
  test('lists after their commas', () =>
    expect(format(`logs | project ${long}, ${long}1, ${long}2, ${long}3`).text).toBe(
      lines('logs', `| project ${long},`, `    ${long}1,`, `    ${long}2,`, `    ${long}3`),
    ));
  test('pipelines in brackets', () =>
    expect(format(`logs | join (logins | where ${long} == ${long}1 | project ${long}2, ${long}3) on id`).text).toBe(
      lines(
        'logs',
        '| join (',
        '    logins',
        `    | where ${long} == ${long}1`,
        `    | project ${long}2, ${long}3`,
        ') on id',
      ),
    ));
});

describe('comments are kept', () => {
  test.each([
    [
      '// first\nlogs // second\n| count // third\n// last',
      lines('// first', 'logs // second', '| count // third', '// last'),
    ],
    ['logs\n// why\n| count', lines('logs', '// why', '| count')],
    ['logs|project a, // one\nb // two', lines('logs', '| project a, // one', '    b // two')],
    ['let a = 1; // one\nlogs', lines('let a = 1; // one', 'logs')],
    [
      'logs|join (logins // who\n|take 1) on id',
      lines('logs', '| join (', '    logins // who', '    | take 1', ') on id'),
    ],
    ['logs // c\r| count', lines('logs // c', '| count')],
    ['logs // c\u2028| count', lines('logs // c', '| count')],
    ['let a = 1;\r\r// why\rlogs', lines('let a = 1;', '', '// why', 'logs')],
    ['let a = 1;\r\n// why\r\nlogs', lines('let a = 1;', '// why', 'logs')],
    ['let a = 1;\r\n\r\nlogs', lines('let a = 1;', '', 'logs')],
    ['logs // a // b', lines('logs // a // b')],
    ['logs | where uri == "http://x"', lines('logs', '| where uri == "http://x"')],
    ['// alone\n', ''],
  ])('%s', (text, expected) => expect(format(text).text).toBe(expected === '' ? text : expected));
});

test('a text with errors stays as it is, and the errors are reported', () => {
  const text = 'logs|where (id==1|count';
  expect(format(text).text).toBe(text);
  expect(format(text).diagnostics).not.toEqual([]);
});

/** Queries of the language's own tests. */
function corpus(): readonly string[] {
  const folder = new URL('../operators/', import.meta.url);
  const golden = readdirSync(folder)
    .filter((name) => name.endsWith('.cases'))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split(/\n\n+/))
    .map((text) => text.split('\n----')[0]!.replace(/^(#.*\n)+/, ''));
  return [
    ...golden,
    ...functions.flatMap(({ examples }) => examples.map(({ apl }) => `print ${apl}`)),
    ...aggregates.flatMap(({ examples }) => examples.map(({ apl }) => apl)),
  ].filter((text) => !parse(text).diagnostics.some(({ severity }) => severity === 'error'));
}

/** The damage that formatting does to a text, if any. */
function harm(text: string): string | undefined {
  const before = parse(text);
  const { text: formatted } = format(text);
  const isWrong = before.diagnostics.some(({ severity }) => severity === 'error');
  if (isWrong) return formatted === text ? undefined : `changed although wrong: ${formatted}`;
  if (!sameTree(before.program, parse(formatted).program)) return `means something else: ${formatted}`;
  const again = format(formatted).text;
  return again === formatted ? undefined : `changes again:\n${formatted}\n${again}`;
}

describe('preserves the meaning and is idempotent', () => {
  const queries = corpus();
  test('in all queries of the tests', () => {
    expect(queries.length).toBeGreaterThan(1000);
    expect(queries.flatMap((text) => harm(text) ?? [])).toEqual([]);
  });
  test('and formatting changes many of them', () => {
    const changed = queries.filter((text) => format(text).text !== text && text.trim() !== format(text).text.trim());
    const unformatted = queries.filter((text) => text.includes('|') && format(text).text === text);
    expect(changed.length).toBeGreaterThan(200);
    expect(unformatted).toEqual([]);
  });
  // The pipe after `log*` has no blank before it in the text, and one if it stood on the same line
  // afterwards.
  test('where a step is just as long as a line may be, behind a star', () =>
    expect(
      harm(
        'let T=logs|count;logs|count|join kind=inner(logs|union withsource=source log*|serialize n = row_number(), before = prev(id), ' +
          'after = next(id, 1, -1), total = row_cumsum(id)|union T)on id|where id in(logs|count)',
      ),
    ).toBeUndefined());
  test('with blanks, line breaks and comments inserted and removed', () => {
    const gap = fc.constantFrom('', ' ', '\n', '  \n\n', ' // note\n', '\n// note\n', '\t');
    const broken = fc
      .tuple(fc.constantFrom(...queries), fc.array(gap, { minLength: 1, maxLength: 12 }))
      .map(([text, gaps]) => {
        let next = 0;
        return text.replaceAll(/[ \n]+|(?<=[(),|])/g, (found) => gaps[next++ % gaps.length] || found);
      });
    fc.assert(
      fc.property(broken, (text) => {
        expect(harm(text)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
  test('in queries put together from their operators', () => {
    const steps = queries.flatMap((text) =>
      (parse(text).program.query?.operators ?? []).map(({ span }) => text.slice(span.start, span.end)),
    );
    const pipeline = fc
      .array(fc.constantFrom(...steps), { minLength: 1, maxLength: 6 })
      .map((of) => ['logs', ...of].join('|'));
    const made = fc
      .tuple(pipeline, pipeline, pipeline)
      .map(([one, two, three]) => `let T=${one};${two}|join kind=inner(${three}|union T)on id|where id in(${one})`);
    fc.assert(
      fc.property(made, (text) => {
        expect(harm(text)).toBeUndefined();
        expect(format(text).diagnostics.some(({ severity }) => severity === 'error')).toBe(false);
        expect(format(text).text).not.toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});
