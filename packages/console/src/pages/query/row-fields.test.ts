import { expect, it } from 'vitest';
import type { Answer } from '../../data/results/results.js';
import type { Cell } from '../../data/results/cells.js';
import { rowHas } from './bar/find-bar.js';
import { runsOldestFirst } from './detail/context-tab.js';
import { eventColumns, leadingColumns } from '../../rows/event-columns.js';
import { rowPairs } from '../../rows/log-row.js';
import { fieldCoverage, rowSource } from '../../rows/row-source.js';

/** A result with only its table. */
function answerOf(columns: Readonly<Record<string, readonly Cell[]>>): Answer {
  const names = Object.keys(columns);
  const table = {
    head: { fields: names.map((name) => ({ name, type: 'string' })) },
    columns: Object.values(columns),
    index: new Map(names.map((name, index) => [name, index])),
    rows: Object.values(columns)[0]!.length,
  };
  return { table } as unknown as Answer;
}

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
const name = (index: number): string => `f${String(index).padStart(4, '0')}`;
const time = '2026-11-26T10:00:00Z';
/** One event with 1,000 fields, and one whose only field is the last. */
const wide = rowSource([
  answerOf({
    _time: [time, time],
    ...Object.fromEntries(range(1000).map((index) => [name(index), [`value ${index}`, null]])),
    level: ['error', null],
    msg: ['done', null],
    zz: [null, 'needle'],
  }),
]);
const layout = { message: 'msg', level: 'level', chosen: [] };

it('a search finds values of any field', () => {
  expect(rowHas(wide, 0, 'value 999')).toBe(true);
  expect(rowHas(wide, 1, 'needle')).toBe(true);
  expect(rowHas(wide, 0, 'needle')).toBe(false);
});

it('a log row counts the fields that it leaves out', () => {
  const { pairs, more } = rowPairs(wide, 0, layout);
  expect(pairs).toEqual(range(12).map(name));
  expect(more).toBe(988);
});

it('a row without level and message shows its fields', () => {
  expect(rowPairs(wide, 1, layout)).toEqual({ pairs: ['zz'], more: 0 });
  // Also if all chosen fields are missing.
  expect(rowPairs(wide, 1, { ...layout, chosen: ['f0001'] })).toEqual({ pairs: ['zz'], more: 0 });
});

it('chosen fields are shown, except fields with a fixed place', () =>
  expect(rowPairs(wide, 0, { ...layout, chosen: ['_time', 'level', 'f0500', 'msg'] })).toEqual({
    pairs: ['f0500'],
    more: 0,
  }));

it('a row whose only column is the message shows only that', () =>
  expect(rowPairs(wide, 0, { ...layout, chosen: ['msg'] })).toEqual({ pairs: [], more: 0 }));

it('rows of several pages have their own fields', () => {
  const source = rowSource([answerOf({ a: ['1'], _cursor: ['x'] }), answerOf({ a: [null], b: ['2'] })]);
  expect(range(2).map((row) => source.present(row).map((field) => field.name))).toEqual([['a'], ['b']]);
  expect([...fieldCoverage(source)]).toEqual([
    ['a', 0.5],
    ['b', 0.5],
  ]);
});

it('a table of events starts with the columns that have values', () => {
  const sparse = { _time: [time, time], a: [null, null], b: [null, '1'], c: ['1', '1'], _sysTime: [time, time] };
  const source = rowSource([answerOf(sparse)]);
  expect(eventColumns(source, 16)).toEqual(['_time', 'b', 'c', 'a']);
  expect(eventColumns(source, 3)).toEqual(['_time', 'c', 'b']);
});

it('chosen columns follow the time and the level', () => {
  expect(leadingColumns(wide)).toEqual(['_time', 'level']);
  expect(leadingColumns({ fields: [{ name: 'count_', type: 'integer' }] })).toEqual([]);
});

it('the context of a row runs in the order of the list', () => {
  const of = (...times: readonly string[]) => rowSource([answerOf({ _time: times })]);
  expect(runsOldestFirst(of('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'))).toBe(false);
  expect(runsOldestFirst(of('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'))).toBe(true);
  expect(runsOldestFirst(of())).toBe(false);
});
