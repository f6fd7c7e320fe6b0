import { describe, expect, it } from 'vitest';
import type { ResultTable } from './result-table.js';
import { evaluateThreshold } from './threshold.js';

type Row = readonly [time: string, service: string, value: unknown];

const tableOf = (rows: readonly Row[]): ResultTable => ({
  columns: [
    { name: '_time', role: 'time', values: rows.map(([time]) => `2026-11-20T${time}Z`) },
    { name: 'service', role: 'group', values: rows.map(([, service]) => service) },
    { name: 'value', role: 'value', values: rows.map(([, , value]) => value) },
  ],
  rows: rows.length,
  datasets: ['logs'],
});

const monitor = { operator: 'Above', threshold: 5, notifyByGroup: false } as const;
const read = (rows: readonly Row[], changes: object = {}) =>
  evaluateThreshold(tableOf(rows), { ...monitor, ...changes });

describe('one value', () => {
  it.each([
    ['Above', 5, false],
    ['Above', 6, true],
    ['AboveOrEqual', 5, true],
    ['AboveOrEqual', 4, false],
    ['Below', 5, false],
    ['Below', 4, true],
    ['BelowOrEqual', 5, true],
    ['BelowOrEqual', 6, false],
  ])('%s 5: %i', (operator, value, violates) =>
    expect(read([['10:00:00', 'a', value]], { operator })).toMatchObject({ readings: [{ violates, value }] }),
  );
});

describe('a recovery threshold of 3', () => {
  it.each([
    [[1, 6], { violates: true, value: 6 }],
    [[4, 1], { violates: false, keepsOpen: true, value: 4 }],
    [[3, 1], { violates: false, value: 1 }],
  ])('%j', (values, reading) => {
    const rows = values.map((one, i): Row => [`10:0${i}:00`, 'a', one]);
    expect(read(rows, { recoveryThreshold: 3 })).toMatchObject({ readings: [{ labels: [], ...reading }] });
  });
});

describe('the value to tell of', () => {
  it.each([
    ['the latest that violates', [9, 8, 1], 'Above', 8],
    ['the latest, if none does', [1, 2, 3], 'Above', 3],
    ['also below', [1, 2, 9], 'Below', 2],
  ])('is %s', (_, values, operator, value) => {
    const rows = values.map((one, i): Row => [`10:0${i}:00`, 'a', one]);
    expect(read(rows, { operator })).toMatchObject({ readings: [{ value }] });
  });

  it('is of one time the most extreme, and times are told apart by more than their text', () => {
    expect(
      read([
        ['10:00:00', 'a', 7],
        ['10:00:00.5', 'a', 9],
        ['10:00:00.500', 'b', 8],
      ]),
    ).toMatchObject({ readings: [{ value: 9 }] });
  });
});

it('groups are read individually when the monitor notifies by group', () =>
  expect(
    read(
      [
        ['10:00:00', 'a', 9],
        ['10:00:00', 'b', 1],
      ],
      { notifyByGroup: true },
    ),
  ).toMatchObject({
    kind: 'read',
    keys: ['service'],
    readings: [
      { labels: ['a'], violates: true, value: 9 },
      { labels: ['b'], violates: false, value: 1 },
    ],
    noData: false,
  }));

it.each([[[]], [[['10:00:00', 'a', null]]], [[['10:00:00', 'a', 'text']]]] as const)(
  '%j is no data, and violates nothing',
  (rows) => expect(read(rows as readonly Row[])).toMatchObject({ noData: true, readings: [{ violates: false }] }),
);

it('an unknown column is rejected; the error lists the valid ones', () =>
  expect(read([['10:00:00', 'a', 9]], { columnName: 'lag' })).toMatchObject({
    kind: 'error',
    problem: "the result has no column 'lag' to compare; it has _time, service, value",
  }));
