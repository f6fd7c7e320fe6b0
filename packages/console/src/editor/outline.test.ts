import { describe, expect, it } from 'vitest';
import { outlineOf } from './outline.js';

describe('kind of result', () => {
  it.each([
    ['logs', true, true],
    ['logs | where a | project b | take 3', true, false],
    ['logs | summarize count()', false, false],
    ['logs | sort by a', true, false],
    ['print 1', false, true],
    ['', false, true],
  ])('%j', (text, givesEvents, ordered) => expect(outlineOf(text)).toMatchObject({ givesEvents, ordered }));
});

it('has its parts, chart and time conditions', () => {
  const text =
    "['my logs'] | where _time > ago(1h) and b == 2 | summarize count() by bin(_time, 1m) | render linechart";
  const outline = outlineOf(text);
  expect(outline).toMatchObject({
    source: { name: 'my logs' },
    chart: 'linechart',
    hasOwnTime: true,
    groupsByTime: true,
    valid: true,
  });
  expect(outline.steps[0]!.conditions.map(({ start, end }) => text.slice(start, end))).toEqual([
    '_time > ago(1h)',
    'b == 2',
  ]);
  expect(text.slice(0, outline.eventsEnd)).toBe("['my logs'] | where _time > ago(1h) and b == 2");
});

it.each([
  ['logs | summarize count() by bin_auto(_time), service', true],
  ['logs | summarize max(_time) by service', false],
  ['logs | where _time > ago(1h)', false],
])('%s groups by time: %s', (text, groupsByTime) => expect(outlineOf(text)).toMatchObject({ groupsByTime }));

it('exists for any text', () => {
  for (const text of ['|', 'logs |', 'logs | where', 'where |||', 'let x = 1;'])
    expect(outlineOf(text).valid).toBe(text === '?');
});
