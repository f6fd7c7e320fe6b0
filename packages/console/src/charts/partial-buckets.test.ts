import { describe, expect, it } from 'vitest';
import { cutEnds, partialEdges, completeValues } from './partial-buckets.js';
import type { DrawableSeries } from './series-option.js';
import { optionOf, sentenceOf } from './series-option.js';
import { allSeries } from './series-choice.js';

const times = [0, 60_000, 120_000, 180_000];
const bothEnds = { first: true, last: true };

describe('partial buckets', () => {
  it.each([
    ['none', { from: 0, to: 240_000 }, { first: false, last: false }],
    ['none, to the nanosecond', { from: 0, to: 239_999 }, { first: false, last: false }],
    ['the last, which is still filled', { from: 0, to: 200_000 }, { first: false, last: true }],
    ['the first too', { from: 10_000, to: 200_000 }, bothEnds],
  ] as const)('%s', (_, asked, expected) => expect(partialEdges({ times, step: 60_000, asked })).toEqual(expected));

  it('raw events have none', () =>
    expect(partialEdges({ times, step: undefined, asked: { from: 10, to: 200_000 } })).toEqual({
      first: false,
      last: false,
    }));
});

describe('line segments that lead to partial buckets', () => {
  it.each([
    ['both', [1, 2, 3, 4], bothEnds, false, [0, 1, undefined, 2, 3]],
    ['over a gap', [1, 2, null, 4], { first: false, last: true }, true, [1, 3]],
    ['beside a gap', [1, 2, null, 4], { first: false, last: true }, false, [2, 3]],
    ['of two values', [1, 2], bothEnds, false, [0, 1]],
    ['of one', [1], bothEnds, false, [0]],
    ['none', [1, 2], { first: false, last: false }, false, []],
  ] as const)('%s', (_, values, cut, join, expected) => expect(cutEnds(values, cut, join)).toEqual(expected));
});

describe('a chart with partial buckets', () => {
  const data: DrawableSeries = {
    kind: 'times',
    times,
    series: [{ name: 'count_', values: [5, 9, 9, 2] }],
    left: 0,
    step: 60_000,
    asked: { from: 0, to: 200_000 },
  };
  const optionFor = (kind: 'line' | 'bar') =>
    optionOf(
      {
        data,
        kind,
        stacked: false,
        zone: 'UTC',
        nulls: undefined,
        earlier: new Map(),
        marks: [],
        levels: [],
        log: false,
        choice: allSeries,
        format: undefined,
      },
      ['#123456'],
      () => '#000000',
    );

  it('draws the last number with a dashed line', () => {
    const [line, end] = optionFor('line').series as readonly { data: unknown; lineStyle: { type: string } }[];
    expect(line!.data).toEqual([
      [0, 5],
      [60_000, 9],
      [120_000, 9],
      [180_000, null],
    ]);
    expect(end).toMatchObject({
      data: [
        [120_000, 9],
        [180_000, 2],
      ],
      lineStyle: { type: 'dashed' },
    });
  });

  it('or as a pale bar', () => {
    const [bars, more] = optionFor('bar').series as readonly { data: readonly unknown[] }[];
    expect(bars!.data.at(-1)).toMatchObject({ value: [180_000, 2], itemStyle: { opacity: expect.any(Number) } });
    expect(more).toBeUndefined();
  });

  it('describes them in text', () => expect(sentenceOf(data, 'UTC')).toMatch(/last bucket is partial$/));
});

it('a chart without axes omits the text', () => expect(completeValues([1, 2, 3], bothEnds)).toEqual([2]));
