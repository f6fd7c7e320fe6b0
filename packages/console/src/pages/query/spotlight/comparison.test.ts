import { describe, expect, it } from 'vitest';
import { BEFORE, boundsOfCondition, comparisonOf, spotlightOf } from './comparison.js';
import { timeCondition } from '../../../data/time/time-condition.js';

const noon = 1_767_268_800_000_000_000n;
const minute = 60_000_000_000n;
const selection = timeCondition({ start: noon, end: noon + minute });
const asked = { events: "shop\n| where route == '/pay'", from: 'now-1h', to: 'now', selection, base: '', more: [] };

it('the time of a selection is read from the address again', () =>
  expect(boundsOfCondition(selection)).toEqual({ start: noon, end: noon + minute }));

describe('what is compared', () => {
  it('is the selection with the rest of the range', () =>
    expect(comparisonOf(asked)).toEqual({
      apl: `${asked.events}\n| summarize selected = countif(${selection}), total = count(), differences = spotlight(${selection}, *)`,
      from: 'now-1h',
      to: 'now',
    }));

  it('or with the same length of time before it', () => {
    const { apl, from } = comparisonOf({ ...asked, base: BEFORE });
    expect(from).toBe('2026-01-01T11:59:00Z');
    expect(apl).toContain('where _time between (datetime(2026-01-01T11:59:00Z) .. datetime(2026-01-01T12:01:00Z))');
  });

  it('or with what another condition selects', () =>
    expect(comparisonOf({ ...asked, selection: 'a == 1', base: 'a == 2' }).apl).toContain(
      '| where (a == 1) or (a == 2)\n',
    ));

  it('fields that * does not stand for are named', () =>
    expect(comparisonOf({ ...asked, more: ['labels.team', 'odd name'] }).apl).toContain(
      "*, labels.team, ['odd name'])",
    ));
});

describe('what the answer says', () => {
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

  it('puts what differs most first, and says how certain it is', () =>
    expect(found.different.map(({ field, certainty, kind }) => [field, certainty, kind])).toEqual([
      ['duration', 'certain', 'numbers'],
      ['status.text', 'likely', 'values'],
      ['version', 'certain', 'values'],
    ]));

  it('names apart what the selection is made of, and what tells nothing', () => {
    expect(found.explained).toEqual(['status']);
    expect(found.alike).toEqual(['trace_id', 'request_id', 'bytes']);
  });

  it('has the counts of both sides', () => {
    expect([found.selected, found.others]).toEqual([10, 10]);
    expect(found.different[2]!.values[0]).toEqual({ value: 'b', selected: 9, others: 1 });
  });
});
