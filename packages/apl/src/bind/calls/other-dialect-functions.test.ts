import { expect, test } from 'vitest';
import { aggregateNamed } from '../../aggregates/index.js';
import { functionNamed } from '../../functions/index.js';
import { compileText, noDatasets } from '../../testing/compile-text.js';
import { foreignArguments, otherDialectWildcards } from './other-dialect-arguments.js';
import { foreignFunctionAdvice, otherDialectFunctions } from './other-dialect-functions.js';
import { dashedOperators, foreignOperatorAdvice, foreignOperatorNames } from '../../syntax/hints/foreign-operators.js';
import { operatorNames } from '../../syntax/operator-names.js';
import { specialForms } from './special.js';

const exists = (name: string): boolean =>
  functionNamed(name) !== undefined || aggregateNamed(name) !== undefined || specialForms.has(name);

test('foreign names do not exist here, and the names they map to do', () => {
  expect([...otherDialectFunctions.keys()].filter(exists)).toEqual([]);
  expect([...otherDialectFunctions.values()].filter((name) => !exists(name))).toEqual([]);
});

test('hints name functions that are absent here or accept fewer arguments', () => {
  expect([...foreignFunctionAdvice.keys()].filter(exists)).toEqual([]);
  expect([...otherDialectFunctions.keys()].filter((name) => foreignFunctionAdvice.has(name))).toEqual([]);
  expect([...foreignArguments.keys(), ...otherDialectWildcards.keys()].filter((name) => !exists(name))).toEqual([]);
});

test('operators with other names or with advice do not exist here', () => {
  const foreign = [...foreignOperatorNames.keys(), ...foreignOperatorAdvice.keys(), ...dashedOperators.keys()];
  expect(foreign.filter((name) => operatorNames.has(name))).toEqual([]);
  expect(new Set(foreign).size).toBe(foreign.length);
  expect([...foreignOperatorNames.values()].filter((name) => !operatorNames.has(name))).toEqual([]);
});

test.each([
  ['print x = substr("abc", 1)', 'there is no function substr; did you mean substring?'],
  ['print x = LENGTH("abc")', 'there is no function LENGTH; did you mean strlen?'],
  ['print x = 1 | summarize cont()', 'there is no function cont; did you mean count?'],
  ['print x = 1 | summarize cnt()', 'there is no function cnt; did you mean count?'],
  ['print x = 1 | summarize mean(x)', 'there is no function mean; did you mean avg?'],
  ['print x = tonumber("1")', 'there is no function tonumber; did you mean toreal?'],
  ['print x = 1 | table x', 'there is no operator table; did you mean project?'],
  ['print a = contains("ab", "b")', 'there is no function contains; it stands between values: text contains "…"'],
  ['print a = json("[]")', 'there is no function json; did you mean parse_json?'],
  ['print a = 1 | summarize by a count()', 'aggregates stand before by: summarize count() by a'],
  [
    'print a = 1 | summarize by a, count()',
    'count is an aggregate: it belongs into summarize or make-series, before by',
  ],
  [
    'print a = 1 | summarize count() group by a',
    'expected a comma or by, but found group; groups follow by, as in summarize count() by a',
  ],
  [
    'print a = 1 | summarize count() by a having count_ > 1',
    'expected a comma or the end of the list, but found having; write | where … behind the summarize',
  ],
  [
    'print a = 1 | where a in (1) or 2',
    'argument 2 of or must be bool, but is long; or joins whole conditions, as in a == 1 or b == 2, and several values are tested by a in (1, 2)',
  ],
  [
    'print a = 1 | where a >= 1 and <= 2',
    'expected a value, but found <=; each comparison needs both its sides: a >= 1 and a < 9',
  ],
  [
    'print a = tostring(now()) | where a < 5m',
    'strings in a are read here with totimespan(a); one that it cannot read is null',
  ],
  ['print a = now() | where a > "-1h"', 'datetime and string never match; ago(1h) is the moment an hour ago'],
  ['print a = 1, _time = now() | where timestamp > ago(1h)', 'no column timestamp; did you mean _time?'],
  ['print a = 1 | where now > 1', 'no column now; a function is called with brackets: now()'],
  ['print a = "b" | where a =~ "^b.*"', '=~ compares whole texts, case aside; a pattern is tested by matches regex'],
  ['print a = "b" | where "a" == "b"', 'in quotes this is a text; the column is a'],
  ['print a = "b" | search b', "no column b; a text is written 'b'"],
  [
    'print a = now() | extend b = a.hour',
    "datetime has no members, so this is null; parts of a time are read by datetime_part('hour', t)",
  ],
  ['print a = 1 | where NOT a == 1', 'operators are written in lower case: not'],
  ['a, b | count', 'several datasets are read by union: union a, b | …'],
  ['print a = 1 | left join (print a = 1) on a', 'there is no operator left; write join kind=leftouter (dataset) on a'],
  ['print a = datetime_part(hour, now())', "no column hour; a text is written 'hour'"],
])('%s', (query, message) => {
  expect(compileText(query).diagnostics.map((d) => d.message)).toContain(message);
});

test.each([
  ['print a = 1 | summarize count() by a | sort by count()', 'count()', 'count_'],
  ['print a = 1 | summarize max(a) | where max(a) > 1', 'max(a)', 'max_a'],
  ['print a = 1 | join kind=left (print a = 1) on a', 'left', 'leftouter'],
  ['print a = "b" | where "a" == "b"', '"a"', 'a'],
  ['print a = "b" | search in (logs*) "b"', 'in (logs*)', ''],
])('%s: %s becomes %s', (query, wrong, replacement) => {
  const { diagnostics } = compileText(query);
  expect(diagnostics.map(({ span, fix }) => [query.slice(span.start, span.end), fix?.replacement])).toContainEqual([
    wrong,
    replacement,
  ]);
});

test('a name that is a column only before its dataset', () => {
  const dataset = { name: 'logs', database: 'd', table: 't', fields: new Map() };
  const catalog = { ...noDatasets, names: ['logs'], dataset: () => dataset };
  expect(compileText('logs | where logs.id == 1', { catalog }).diagnostics).toMatchObject([
    { message: 'no column logs.id; columns are named without their dataset: id, and in a join $left.a == $right.b' },
  ]);
});

test('an argument that must be a string is a literal, even if a column has a similar name', () => {
  const { diagnostics } = compileText('print hours = 1 | extend part = datetime_part(hour, now())');
  expect(diagnostics).toMatchObject([
    { message: "no column hour; a text is written 'hour'", fix: { replacement: "'hour'" } },
  ]);
});
