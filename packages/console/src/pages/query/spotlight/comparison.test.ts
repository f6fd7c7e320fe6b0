import { describe, expect, it } from 'vitest';
import { changeText, BEFORE, boundsOfCondition, comparisonOf, spotlightOf } from './comparison.js';
import { timeCondition } from '../../../data/time/time-condition.js';

const noon = 1_767_268_800_000_000_000n;
const minute = 60_000_000_000n;
const selection = timeCondition({ start: noon, end: noon + minute });
const comparisonRequest = {
  events: "shop\n| where route == '/pay'",
  from: 'now-1h',
  to: 'now',
  selection,
  base: '',
  more: [],
};

it('the time of a selection round-trips through the address', () =>
  expect(boundsOfCondition(selection)).toEqual({ start: noon, end: noon + minute }));

describe('compares', () => {
  it('the selection with the rest of the range', () =>
    expect(comparisonOf(comparisonRequest)).toEqual({
      apl: `${comparisonRequest.events}\n| summarize selected = countif(${selection}), total = count(), differences = spotlight(${selection}, *)`,
      from: 'now-1h',
      to: 'now',
    }));

  it('or with the same length of time before it', () => {
    const { apl, from } = comparisonOf({ ...comparisonRequest, base: BEFORE });
    expect(from).toBe('2026-01-01T11:59:00Z');
    expect(apl).toContain('where _time between (datetime(2026-01-01T11:59:00Z) .. datetime(2026-01-01T12:01:00Z))');
  });

  it('or with the events of another condition', () =>
    expect(comparisonOf({ ...comparisonRequest, selection: 'a == 1', base: 'a == 2' }).apl).toContain(
      '| where (a == 1) or (a == 2)\n',
    ));

  it('names fields that * does not cover', () =>
    expect(comparisonOf({ ...comparisonRequest, more: ['labels.team', 'odd name'] }).apl).toContain(
      "*, labels.team, ['odd name'])",
    ));
});

describe('results', () => {
  const values = [
    { value: 'b', frequency_ratio: 9, comparison_count: 9, baseline_count: 1 },
    { value: 'null', frequency_ratio: 0.1, comparison_count: 1, baseline_count: 9 },
  ];
  const score = (delta_score: number, p_value: number, differences: readonly unknown[] = []) => ({
    p_value,
    effect_size: delta_score,
    delta_score,
    median_relative_change: differences.length > 0 ? null : 2.5,
    differences,
  });
  const found = spotlightOf(
    JSON.stringify({
      version: score(0.8, 1e-9, values),
      duration: score(1.4, 1e-9),
      status: score(1, 0, values),
      'status.text': score(0.9, 0.005, values),
      trace_id: score(0, 1),
      request_id: score(
        0.9,
        1e-9,
        ['a', 'b', 'c', 'd'].map((value) => ({ ...values[0], value, comparison_count: 1, baseline_count: 0 })),
      ),
      bytes: score(0.3, 0.4),
    }),
    { selected: 10, total: 20 },
    'status >= 500',
  );

  it('rank by difference, with their confidence', () =>
    expect(found.different.map(({ field, certainty, kind }) => [field, certainty, kind])).toEqual([
      ['duration', 'certain', 'numbers'],
      ['status.text', 'likely', 'values'],
      ['version', 'certain', 'values'],
    ]));

  it('list separately the fields of the selection, and fields without difference', () => {
    expect(found.explained).toEqual(['status']);
    expect(found.alike).toEqual(['trace_id', 'request_id', 'bytes']);
  });

  it('have the counts of both sides', () => {
    expect([found.selected, found.others]).toEqual([10, 10]);
    expect(found.different[2]!.values[0]).toEqual({ value: 'b', selected: 9, others: 1 });
  });
});

it.each([
  [undefined, 'Distributions differ.'],
  [0.001, 'Same median, different spread.'],
  [0.05, 'Median 5.0% higher.'],
  [-0.4, 'Median 40% lower.'],
  [0.995, 'Median 100% higher.'],
  [6.8, 'Median 7.8 times as high.'],
  [2345.6, 'Median 2,300 times as high.'],
])('a change of %s: %s', (change, text) => expect(changeText(change)).toBe(text));
