import { describe, expect, test } from 'vitest';
import { aggregateNames } from '../aggregates/index.js';
import { functionNames } from '../functions/index.js';
import { infixOperators } from '../syntax/infix-operators.js';
import { chartKinds, operators, sources, statements } from '../syntax/lexing/keywords.js';
import { atCursor, sampleCatalog } from '../testing/editor.js';
import { complete } from './complete.js';
import type { Completion, CompletionKind } from './complete.js';

const completions = (marked: string): readonly Completion[] => {
  const { text, offset } = atCursor(marked);
  return complete(text, offset, sampleCatalog);
};

const labels = (marked: string, ...kinds: readonly CompletionKind[]): readonly string[] =>
  completions(marked).flatMap(({ label, kind }) => (kinds.length === 0 || kinds.includes(kind) ? [label] : []));

/** The text after accepting the first completion. */
function acceptFirst(marked: string): string {
  const [first] = completions(marked);
  const { text } = atCursor(marked);
  return first === undefined ? text : text.slice(0, first.range.start) + first.insertText + text.slice(first.range.end);
}

describe('where a query begins', () => {
  test.each([
    ['‸', 'logs logins web-logs let set declare print range union datatable'],
    ['let a = 1; ‸', 'logs let'],
    ['let T = logs | take 1; ‸', 'T logs'],
    ['let f = (n: long) { logs | take n }; ‸', 'f'],
    ['let x = ‸', 'logs print strlen'],
    ['lo‸', 'logs logins web-logs'],
    ['logs | join (‸', 'logs logins union'],
    ['logs | join kind=inner (lo‸', 'logs logins'],
    ['logs | union ‸', 'logs logins'],
    ['union logs, ‸', 'logs logins'],
    ['logs | as L | union ‸', 'L logs'],
    ['logs | as L | join (‸', 'L logs'],
    ['search in (‸', 'logs logins'],
    ['logs | where id in (logins | ‸', 'where'],
  ])('%s', (marked, expected) => expect(labels(marked)).toEqual(expect.arrayContaining(expected.split(' '))));

  test('after a dataset comes a pipe', () => expect(labels('logs ‸')).toEqual(['|']));
  test('in a nested pipeline no statement begins', () => expect(labels('logs | join (‸')).not.toContain('let'));
});

describe('operators come after a pipe, and only there', () => {
  test.each([
    'logs | ‸',
    'logs |‸| where st',
    'logs | ‸| where st',
    'logs | where id == 1 | ‸',
    'let x = 1; logs\n| ‸\n| take 1',
  ])('%s', (marked) => expect(labels(marked)).toEqual(operators.map(({ name }) => name).toSorted()));
  test.each(['logs ‸| where st', '‸logs | take 1', 'logs | take 1 ‸', 'logs | where ‸'])('not at %s', (marked) =>
    expect(labels(marked, 'operator')).toEqual([]),
  );
  test.each(operators.map(({ name }) => name))('%s is found by its beginning', (name) => {
    const typed = name.slice(0, -1);
    expect(labels(`logs | ${typed}‸`)).toContain(name);
    expect(labels(`logs | ${typed}‸`)[0]).toBe(firstWith(typed));
  });
});

const firstWith = (typed: string): string =>
  operators
    .map(({ name }) => name)
    .toSorted()
    .find((name) => name.startsWith(typed))!;

describe('fields are the output of the preceding steps', () => {
  const fieldsAt = (marked: string): string => labels(marked, 'field').join(' ');
  const allOfLogs = '_sysTime _time geo.city http.trace_id id in level message method status tags trace_state';
  test.each([
    ['logs | where ‸', allOfLogs],
    ['logs | where ‸ == 1 | project id', allOfLogs],
    ['logs | project id, n = strlen(method) | where ‸', 'id n'],
    ['logs | project-away geo*, m* | project _time, status, x = 1 | sort by ‸', '_time status x'],
    ['logs | summarize n = count(), avg(id) by method | where ‸', 'avg_id method n'],
    ['logs | project id | extend b = id + 1 | extend c = ‸', 'b id'],
    ['logs | project-keep id | join (logins | project id, user) on id | where ‸', 'id id1 user'],
    ['logs | project-keep id | join (logins | project id, user | where ‸', 'id user'],
    ['logs | project id, method | join (logins | project id, user) on ‸', 'id'],
    ['logs | project id, method | join (logins | project id, user) on $left.‸', 'id method'],
    ['logs | project id, method | join (logins | project id, user) on $left.id == $right.u‸', 'user'],
    ['logs | project tags, id | mv-apply t = tags on (where ‸', 'id t tags'],
    ['logs | project tags, id | mv-apply t = tags on (‸', ''],
    ['logs | project tags, id | mv-apply t = tags on (extend u = t | where ‸', 'id t tags u'],
    ['let T = logs | project id; T | where ‸', 'id'],
    ['let T = logs | project id, m = method | where ‸', 'id m'],
    ['let f = (n: long) { logs | project id | where ‸', 'id'],
    ['print a = 1, b = "x" | project ‸', 'a b'],
    ['logs | project id | where id in (logins | project user | where ‸', 'user'],
    ['logs | project id | where abs(‸', 'id'],
    ['logs | project id, status | summarize avg(‸', 'id status'],
    ['logs | project id, status | summarize count() by ‸', 'id status'],
    ['logs | project id, status | summarize ‸', ''],
    ['logs | project-away lev‸', 'level'],
    ['logs | project id | make-series count() on ‸', 'id'],
    ['logs | take ‸', ''],
    ['logs | where nope( | project id | where ‸', ''],
    ['logs | extend a = (1 + | extend b = ‸', ''],
    ['logs | smmarize count() | project id | where ‸', 'id'],
    ['union logs, logins | project id, user | where ‸', 'id user'],
    ['logs | where trace_‸', 'trace_state http.trace_id'],
    ['(logs | project id) | where ‸', 'id'],
    ['logs | project id | as L | join (L | extend b = 1 | where ‸', 'b id'],
    ['print a = 1 | join (logs | as L | take 1) on id | join (L | where ‸', ''],
    ['logs | project id | as L | union (L | as M | where ‸', 'id'],
    ['logs | project id\n// a comment | with a pipe\n| where ‸', 'id'],
    ['logs | project id // a comment\r| where ‸', 'id'],
    ['logs | project id | where // a comment\r‸', 'id'],
  ])('%s', (marked, expected) => expect(fieldsAt(marked)).toBe(expected));

  test('their types are shown', () => {
    const details = completions('logs | project status, level, tags | where ‸').flatMap(({ kind, detail }) =>
      kind === 'field' ? [detail] : [],
    );
    expect(details).toEqual(['level: integer|string', 'status: integer', 'tags: array']);
  });
});

describe('functions and aggregates', () => {
  test('every function where a value stands', () =>
    expect(labels('logs | where ‸', 'function')).toEqual(expect.arrayContaining([...functionNames()])));
  test('every aggregate in summarize', () =>
    expect(labels('logs | summarize ‸', 'aggregate')).toEqual(aggregateNames().toSorted()));
  test.each([
    ['logs | summarize ‸', true],
    ['logs | summarize a = ‸', true],
    ['logs | summarize round(‸', true],
    ['logs | summarize avg(‸', false],
    ['logs | summarize avg(id + ‸', false],
    ['logs | summarize count() by ‸', false],
    ['logs | make-series ‸', true],
    ['logs | make-series count() on _time step ‸', false],
    ['logs | where ‸', false],
    ['logs | evaluate pivot(method, ‸', true],
    ['logs | top-nested 3 of method by ‸', true],
  ])('aggregates: %s %s', (marked, expected) => expect(labels(marked, 'aggregate').length > 0).toBe(expected));

  test.each([
    ['logs | where strl‸', 'logs | where strlen('],
    ['logs | where no‸', 'logs | where not('],
    ['logs | summarize coun‸', 'logs | summarize count()'],
    ['logs | where now‸', 'logs | where now('],
  ])('%s becomes %s', (marked, expected) => expect(acceptFirst(marked)).toBe(expected));
});

describe('names are quoted where they must be', () => {
  test.each([
    ['logs | where geo‸', "logs | where ['geo.city']"],
    ['logs | where geo.c‸ == "x"', `logs | where ['geo.city'] == "x"`],
    ["logs | where ['ge‸", "logs | where ['geo.city']"],
    ["logs | where ['‸'] == 1", "logs | where ['_sysTime'] == 1"],
    ['logs | where [‸', "logs | where ['_sysTime']"],
    ["logs | where ['ge‸ zz'] == 1", "logs | where ['geo.city'] == 1"],
    ['logins | where host‸', "logins | where ['host-name']"],
    ["['web‸", "['web-logs']"],
    ["['web‸'] | take 1", "['web-logs'] | take 1"],
    ['web‸ | take 1', "['web-logs'] | take 1"],
    ['logs | project in‸', "logs | project ['in']"],
    ['logs | where sta‸tus == 1', 'logs | where status == 1'],
    ['logs | project-aw‸', 'logs | project-away'],
    ['logs | project-‸', 'logs | project-away'],
    ["print [''] = 1 | where ‸", "print [''] = 1 | where ['']"],
  ])('%s becomes %s', (marked, expected) => expect(acceptFirst(marked)).toBe(expected));
});

describe('words of the operator', () => {
  test.each([
    ['logs | sort ‸', 'by'],
    ['logs | sort by id ‸', 'asc desc nulls'],
    ['logs | sort by id desc, status ‸', 'asc desc nulls'],
    ['logs | sort by id nulls ‸', 'first last'],
    ['logs | top 5 ‸', 'by'],
    ['logs | summarize count() ‸', 'by'],
    ['logs | join ‸', 'kind='],
    ['logs | join kind=‸', 'inner leftouter rightanti'],
    ['logs | join kind=le‸', 'leftouter leftanti leftsemi'],
    ['logs | join (logins) ‸', 'on'],
    ['logs | lookup kind=‸', 'leftouter inner'],
    ['logs | make-series count() ‸', 'on default='],
    ['logs | make-series count() on _time ‸', 'from to step by'],
    ['logs | mv-expand tags ‸', 'to limit'],
    ['logs | mv-expand tags to ‸', 'typeof'],
    ['logs | mv-expand tags to typeof(‸', 'long string'],
    ['logs | mv-apply ‸', 'kind= with_itemindex='],
    ['logs | mv-apply t = tags ‸', 'to limit on'],
    ['logs | render ‸', chartKinds.join(' ')],
    ['logs | parse kind=‸', 'simple regex relaxed'],
    ['logs | parse-kv message as (a: ‸', 'string long'],
    ['logs | parse-kv message as (a) with (‸', 'pair_delimiter= kv_delimiter='],
    ['logs | count ‸', 'as'],
    ['logs | evaluate ‸', 'pivot bag_unpack ipv4_lookup narrow preview rows_near sliding_window_counts'],
    ['let f = (x: ‸', 'long string'],
    ['declare ‸', 'query_parameters'],
    ['declare query_parameters (x: ‸', 'long string'],
    ['logs | where method !con‸', '!contains !contains_cs'],
    ['logs | where method !‸', '!in !has !='],
    ['range x ‸', 'from'],
    ['range x from 1 ‸', 'to step'],
  ])('%s', (marked, expected) =>
    expect(labels(marked, 'keyword')).toEqual(expect.arrayContaining(expected.split(' '))),
  );

  test('a word already written is not offered again', () =>
    expect(labels('logs | summarize count() by id ‸', 'keyword')).not.toContain('by'));
  test('after an option, only its values', () =>
    expect(labels('logs | join kind=left‸')).toEqual(['leftanti', 'leftantisemi', 'leftouter', 'leftsemi']));
  test('after a value, every operator between two values', () =>
    expect(labels('logs | where method ‸')).toEqual(expect.arrayContaining([...infixOperators.keys()])));
});

describe('names of let', () => {
  test.each([
    ['let n = 5; logs | where id == ‸', 'n'],
    ['let n = 5; let m = n + ‸', 'n'],
    ['declare query_parameters (p: long = 1); logs | take ‸', 'p'],
    ['let f = (n: long) { logs | where id == ‸', 'n'],
    ['logs | join (logins) on ‸', '$left $right'],
  ])('%s', (marked, expected) => expect(labels(marked, 'value').join(' ')).toBe(expected));
  test('a function of the query', () =>
    expect(acceptFirst('let double = (x: long) { x * 2 }; logs | extend d = dou‸')).toBe(
      'let double = (x: long) { x * 2 }; logs | extend d = double(',
    ));
});

describe('is empty without suggestions', () => {
  test.each([
    'logs // a com‸ment',
    'logs | where method == "GE‸T"',
    'logs | where method == "GE‸',
    'logs | take 1‸',
    'logs | getschema ‸',
    'logs | nope ‸',
    'logs | where _time > datetime(2024-‸)',
  ])('%s', (marked) => expect(labels(marked)).toEqual([]));
});

describe('order', () => {
  test('what begins with the word, then what contains it, then what has its letters', () =>
    expect(labels('logs | project status, mystatus = 1, s_status = 2, short_atlas = 3 | where stat‸', 'field')).toEqual(
      ['status', 's_status', 'mystatus', 'short_atlas'],
    ));
  test('case does not matter', () => expect(labels('logs | where STATUS‸')[0]).toBe('status'));
  test('letters in order', () => expect(labels('logs | summarize dcif‸')[0]).toBe('dcountif'));
  test('fields before functions', () => expect(labels('logs | where m‸').slice(0, 2)).toEqual(['message', 'method']));
});

test('every completion has a detail and documentation', () => {
  const all = ['‸', 'logs | ‸', 'logs | where ‸', 'logs | summarize ‸', 'logs | where id ‸'].flatMap(completions);
  for (const { label, detail, documentation } of all)
    expect([label, detail !== '', /\.$/m.test(documentation)]).toEqual([label, true, true]);
  for (const { name } of [...sources, ...statements]) expect(labels('‸')).toContain(name);
});
