import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printQuery, type Query } from '@millrace/sql';
import type { DiagnosticCode } from './model/diagnostic-codes.js';
import { compileOrThrow, compileText } from './testing/compile-text.js';
import { testEngine } from './testing/engine.js';
import { createSample } from './testing/sample.js';
import { catalogWithoutTable } from './testing/tableless.js';

const engine = testEngine();
const catalog = catalogWithoutTable('logs', { id: 'long', method: 'string', duration: 'real', tags: 'dynamic' });

it.each([
  ['set stricttypes; print x = 1', []],
  ['set query_now = datetime(2024-01-01); print x = 1', ['set query_now has no effect']],
])('%s: warned of %j', (query, messages) => {
  const warnings = compileOrThrow(query).diagnostics.filter(({ severity }) => severity === 'warning');
  expect(warnings.map(({ message }) => message)).toEqual(messages);
});

describe('every diagnostic code is raised', () => {
  const examples: Readonly<Record<DiagnosticCode, string>> = {
    syntax: 'logs | where',
    unknown_dataset: 'lgs | take 1',
    unknown_function: 'print strlne("x")',
    unknown_operator: 'logs | wehre id == 1',
    missing_column: 'logs | where idd == 1',
    argument_count: 'print strlen()',
    argument_type: 'print strlen(1)',
    not_constant: 'logs | summarize percentile(duration, id)',
    not_aggregate: 'logs | where count() > 1',
    type_mismatch: 'logs | where id',
    never_matches: 'logs | where id == true',
    converted: 'logs | where id == "1"',
    always_true: 'logs | where true',
    implicit_end: 'logs | where _time > ago(1d)',
    virtual_field: 'turned | take 1',
    unsupported: 'externaldata (a:string) ["https://example.com/a.csv"]',
    limit: 'range x from 1 to 9999999 step 1',
    name: 'print a = 1, a = 2',
    note: 'set stricttypes; print 1',
  };
  const wrong = { ...catalog.dataset('logs')!, virtualFields: new Map([['broken', 'strlen(id)']]) };
  const withBroken = { ...catalog, dataset: (name: string) => (name === 'turned' ? wrong : catalog.dataset(name)) };
  it.each(Object.entries(examples))('%s', (code, text) =>
    expect(compileText(text, { catalog: withBroken }).diagnostics.map((d) => d.code)).toContain(code),
  );
});

describe('diagnostics', () => {
  const firstDiagnostic = (text: string): ReturnType<typeof compileText>['diagnostics'][number] | undefined =>
    compileText(text, { catalog }).diagnostics[0];

  it('are at the mistake, with a replacement', () => {
    const text = 'logs | where durtion > 2';
    const found = firstDiagnostic(text);
    expect(text.slice(found?.span.start, found?.span.end)).toBe('durtion');
    expect(found?.fix).toEqual({ title: 'Change to duration', replacement: 'duration' });
  });

  it('report what a virtual field lacks only in queries that use it', () => {
    const virtualFields = new Map([['ratio', 'nope / 2']]);
    const logs = { ...catalog.dataset('logs')!, virtualFields };
    const warningsOf = (text: string): readonly string[] =>
      compileText(text, { catalog: { ...catalog, dataset: () => logs } }).diagnostics.map((d) => d.message);
    const lacks = 'in virtual field ratio: no column nope';
    expect(warningsOf('logs | where id > 1')).toEqual([]);
    expect(warningsOf('logs | project id, ratio')).toEqual([lacks]);
    expect(warningsOf('logs | project-keep rat*')).toEqual([lacks]);
  });

  it('quote names that need it', () =>
    expect(
      compileText("['http-log']", { catalog: catalogWithoutTable('http-logs', {}) }).diagnostics[0]?.fix?.replacement,
    ).toBe("['http-logs']"));

  it('are returned together, in order', () =>
    expect(
      compileText('logs | extend a = nope1(id) | where strlen() > 1', { catalog }).diagnostics.map((d) => d.code),
    ).toEqual(['unknown_function', 'argument_count']));
});

describe('text from a query never becomes SQL', () => {
  const hostile = "'; DROP TABLE x; -- \\' ` \" ?? {a:b} \0 \n é 𝒳";

  it.each([
    ['a literal', (text: string) => `print a = ${quote(text)}`],
    ['a dynamic literal', (text: string) => `print a = dynamic([${quote(text)}])[0]`],
    ['an argument', (text: string) => `print a = strcat(${quote(text)}, "")`],
    ['a column name', (text: string) => `print [${quote(text)}] = 1 | project a = ${quote(text)}`],
    ['a member', (text: string) => `print a = bag_pack(${quote(text)}, ${quote(text)})[${quote(text)}]`],
    ['a needle', (text: string) => `print a = iff(${quote(text)} contains ${quote(text)}, ${quote(text)}, "no")`],
    ['a list', (text: string) => `print a = iff(${quote(text)} in (${quote(text)}), ${quote(text)}, "no")`],
  ])('%s', (_, query) => {
    expect(valueOf(query(hostile))).toBe(hostile);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
        (text) => valueOf(query(text)) === text,
      ),
      { numRuns: 30 },
    );
  });

  it('nor do names of datasets or fields', () => {
    const named = catalogWithoutTable('a`b', { 'x`; DROP': 'long' });
    expect(printQuery(compileOrThrow("['a`b'] | project ['x`; DROP']", { catalog: named }).query)).toContain(
      '`x\\`; DROP#x` AS `x\\`; DROP@` FROM `events`.`a\\`b`',
    );
  });

  /** The first cell, parsed from JSON if it is dynamic. */
  function valueOf(text: string): unknown {
    const { query, output } = compileOrThrow(text);
    const cell = engine.rows(query)[0]?.[0];
    return output[0]?.json === true && typeof cell === 'string' ? JSON.parse(cell) : cell;
  }

  function quote(text: string): string {
    const escapes: Readonly<Record<string, string>> = {
      '"': '\\"',
      '\\': '\\\\',
      '\n': '\\n',
      '\r': '\\r',
      '\t': '\\t',
    };
    return `"${text.replace(/["\\\n\r\t]/g, (c) => escapes[c] ?? c)}"`;
  }
});

describe('compile', () => {
  const query = 'logs | where id > 1 | summarize count(), dcount(method) by bin_auto(_time), method | take 3';

  it('gives the same SQL for the same text', () =>
    expect(printQuery(compileOrThrow(query, { catalog }).query)).toBe(
      printQuery(compileOrThrow(query, { catalog }).query),
    ));

  it('takes variables; a let of the same name wins', () => {
    const variables = { which: 2, list: ['a', 'b'], when: null, deep: { k: [1] } };
    const rows = (text: string): unknown => engine.rows(compileOrThrow(text, { variables }).query)[0];
    expect(rows('print which, "a" in (list), isnull(when), deep.k[0]')).toEqual([2, true, true, '1']);
    expect(rows('let which = 5; print which')).toEqual([5]);
    expect(rows('declare query_parameters (which: string = "x"); print which')).toEqual(['2']);
    expect(rows('declare query_parameters (toString: string = "x"); print toString')).toEqual(['x']);
  });

  it('keeps all digits of integers in variables, even within arrays and objects', () => {
    const [one, next] = [9_007_199_254_740_993n, 9_007_199_254_740_992n];
    const variables = { list: [one, [one]], deep: { k: [one] }, large: 2n ** 70n, many: [2n ** 64n, -1.5, true, null] };
    const rows = (text: string): unknown => engine.rows(compileOrThrow(text, { variables }).query)[0];
    expect(rows(`print ${one} in (list), ${next} in (list), tostring(deep.k[0]), tostring(list)`)).toEqual([
      true,
      false,
      `${one}`,
      `[${one},[${one}]]`,
    ]);
    expect(rows('print large / 2, many[0] == 18446744073709551616.0, tostring(many[1]), array_length(many)')).toEqual([
      2 ** 69,
      true,
      '-1.5',
      4,
    ]);
  });

  it('returns the engine types on request', () => {
    const { query: native } = compileOrThrow('print datetime(2024-01-01)', { output: 'native' });
    expect(
      engine.text(`SELECT toTypeName(*) FROM (${printQuery({ ...native, settings: {} } as typeof native)})`).trim(),
    ).toBe('"DateTime64(9, \'UTC\')"');
  });

  it('counts examined and matched rows', () => {
    const sample = createSample(engine);
    const counts = (text: string): unknown => {
      const { counts: counted } = compileOrThrow(text, { catalog: sample });
      if (counted === undefined) return undefined;
      const { examined, matched } = counted;
      const last = (query: Query): unknown => engine.rows(query)[0]?.at(-1);
      const sum = examined.reduce((all, query) => all + Number(last(query)), 0);
      switch (matched.kind) {
        case 'all':
          return [sum, 'all'];
        case 'aggregated':
          return [sum, 'aggregated'];
        case 'query':
          return [sum, 'query', last(matched.query)];
      }
    };
    expect(counts('logs')).toEqual([4, 'all']);
    expect(counts('logs | where id < 3')).toEqual([4, 'query', 2]);
    expect(counts('logs | where id < 3 | summarize count() by method | where count_ > 1')).toEqual([4, 'query', 2]);
    expect(counts('logs | where id < 4 | summarize count() by id')).toEqual([4, 'aggregated']);
    expect(counts('logs | where id < 4 | summarize c = max(id) by id | extend n = row_number() | take 1')).toEqual([
      4,
      'aggregated',
    ]);
    expect(counts('logs | where id < 4 | distinct id | take 0')).toEqual([4, 'query', 3]);
    expect(counts('logs | where id > 9 | count')).toEqual([4, 'aggregated']);
    expect(counts('logs | where id < 4 | count | project x = 1')).toEqual([4, 'query', 3]);
    expect(counts('logs | where id in ((logins | distinct id)) | count')).toEqual([4, 'query', 2]);
    expect(counts('logs | where id < 4 | summarize n = count() by id | where n < toscalar(logs | count)')).toEqual([
      4,
      'query',
      3,
    ]);
    expect(counts('union logs, (logins | where id == 1)')).toEqual([7, 'query', 5]);
    expect(counts('print 1')).toBeUndefined();
  });

  it('knows which datasets are read', () =>
    expect(compileOrThrow('logs | where id in ((logs | project id))', { catalog }).datasets).toEqual(['logs']));

  it('passes the chart on', () =>
    expect(compileOrThrow('logs | count | render timechart with (title = "t")', { catalog }).chart).toEqual({
      kind: 'timechart',
      options: { title: 't' },
    }));

  // The benchmark measures the speed; this only checks that the time is not quadratic in the steps
  // or values.
  it.each([
    [
      'lines',
      [
        'logs',
        ...Array.from({ length: 400 }, (_, i) => `| extend x${i} = strcat(method, "${i}"), y${i} = id * ${i} + ${i}`),
        '| summarize sum(y399) by x398',
      ].join('\n'),
    ],
    ['values of a list', `logs | where id in (${Array.from({ length: 60_000 }, (_, i) => i).join()}) | count`],
  ])('compiles many %s in reasonable time', (_, text) => {
    const begun = process.cpuUsage();
    compileText(text, { catalog });
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  it('never throws on text', () => {
    const words = [
      'logs',
      '|',
      'where',
      'extend',
      'summarize',
      'by',
      'count()',
      'id',
      'x',
      '=',
      '==',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '1',
      ',',
      'bin(',
      '_time',
      '1h',
      'in',
      'let',
      ';',
      '-',
      '*',
      'dynamic(',
      '{',
      '}',
      'make-series',
      'on',
      'step',
      'join',
      'kind=inner',
      'parse',
      'with',
      'mv-expand',
      'union',
      'search',
      'not',
      '.',
    ];
    const outcome = fc.check(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 25 }), (parts) => {
        const result = compileText(parts.join(' '), { catalog });
        return result.kind === 'compiled' || result.diagnostics.some((d) => d.severity === 'error');
      }),
      { numRuns: 500 },
    );
    expect(outcome.counterexample).toBeNull();
  });
});
