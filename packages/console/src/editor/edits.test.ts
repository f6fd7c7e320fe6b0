import { parse } from '@millrace/apl/editor';
import { describe, expect, it } from 'vitest';
import { conditionFromShorthand, conditionText, groupedBy, sortedBy, withCondition, removeStep } from './edits.js';
import { outlineOf } from './outline.js';

const edit = (text: string, change: (text: string, outline: ReturnType<typeof outlineOf>) => string): string => {
  const changed = change(text, outlineOf(text));
  expect(parse(changed).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return changed;
};

describe('add a condition', () => {
  it.each([
    ['logs', 'logs\n| where a == 1'],
    ['logs // mine\n| where b', 'logs // mine\n| where b\n| where a == 1'],
    ['logs | where b | summarize count() by c', 'logs | where b\n| where a == 1\n| summarize count() by c'],
    ['logs\n| extend x = 1 // why\n| take 5', 'logs\n| extend x = 1 // why\n| where a == 1\n| take 5'],
  ])('%j', (before, after) =>
    expect(edit(before, (text, outline) => withCondition(text, outline, 'a == 1'))).toBe(after),
  );
});

describe('remove a part', () => {
  it.each([
    ['logs | where a == 1 and b == 2 and c', 'b == 2', 'logs | where a == 1 and c'],
    ['logs | where a == 1 and b == 2', 'a == 1', 'logs | where b == 2'],
    ['logs | where a == 1\n| take 5', 'a == 1', 'logs\n| take 5'],
    ['logs | where a == 1\n| sort by b', 'sort by b', 'logs | where a == 1'],
  ])('%j without %j', (before, part, after) => {
    const start = before.indexOf(part);
    expect(edit(before, (text, outline) => removeStep(text, outline, { start, end: start + part.length }))).toBe(after);
  });
});

it('replace the order', () => {
  expect(edit('logs | take 5', (text, outline) => sortedBy(text, outline, 'a-b', 'desc'))).toBe(
    "logs | take 5\n| sort by ['a-b'] desc",
  );
  expect(edit('logs | sort by x asc | take 5', (text, outline) => sortedBy(text, outline, 'y', 'asc'))).toBe(
    'logs | sort by y asc | take 5',
  );
});

it('group after the events', () =>
  expect(edit('logs | where a | summarize count()', (text, outline) => groupedBy(text, outline, 'b'))).toBe(
    'logs | where a\n| summarize count() by b\n| sort by count_ desc',
  ));

it.each([
  ['status', 500, 'integer', 'include', 'status == 500'],
  ['big', 9223372036854775807n, 'integer', 'exclude', 'big != 9223372036854775807'],
  ['msg', "it's", 'string', 'include', String.raw`msg == 'it\'s'`],
  ['at', '2026-01-01T00:00:00.5Z', 'datetime', 'include', 'at == datetime(2026-01-01T00:00:00.5Z)'],
  ['a', null, 'string', 'exclude', 'isnotnull(a)'],
  ['o', { kind: 'json', text: '[1]' }, 'array', 'exclude', "not(tostring(o) == '[1]')"],
] as const)('%s %o', (field, cell, type, how, text) => expect(conditionText(field, cell, type, how)).toBe(text));

it.each([
  ['status>=500', 'status >= 500'],
  ['level=error', "level == 'error'"],
  ['-level:debug', "level !has 'debug'"],
  ['msg:"timed out"', "msg has 'timed out'"],
  ['a == 1 and b == 2', 'a == 1 and b == 2'],
])('%s is short for %s', (typed, text) => expect(conditionFromShorthand(typed)).toBe(text));
