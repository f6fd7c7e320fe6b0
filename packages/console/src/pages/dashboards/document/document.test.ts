import { describe, expect, it } from 'vitest';
import { hiddenBy, ownRange, placesOf, queryOf, rangeOfWindow, windowEnd } from './document.js';

const size = (): readonly [number, number] => [6, 4];
const chart = (id: string, type = 'Note') => ({ id, type });

describe('the range of a document', () => {
  it.each([
    ['qr-now-7d', 'qr-now', { from: 'now-7d', to: 'now' }],
    ['1764151200000', '1764154800000', { from: '2025-11-26T10:00:00Z', to: '2025-11-26T11:00:00Z' }],
    ['nonsense', 'qr-now', { from: 'now-1h', to: 'now' }],
  ])('%s to %s', (start, end, range) => expect(rangeOfWindow(start, end)).toEqual(range));

  it('round-trips', () => {
    for (const text of ['qr-now-7d', 'qr-now', '1764151200000'])
      expect(windowEnd(rangeOfWindow(text, 'qr-now').from)).toBe(text);
  });

  it('of an element counts only if enabled', () => {
    const query = { apl: 'shop', queryOptions: { quickRange: '7d' } };
    expect(ownRange({ ...chart('a'), query })).toBeUndefined();
    expect(ownRange({ ...chart('a'), query, overrideDashboardTimeRange: 'true' })).toEqual({
      from: 'now-7d',
      to: 'now',
    });
    const fixed = { startTime: '2025-11-26T10:00:00Z', endTime: '2025-11-26T11:00:00Z' };
    expect(ownRange({ ...chart('a'), query: fixed, overrideDashboardTimeRange: true })).toEqual({
      from: fixed.startTime,
      to: fixed.endTime,
    });
  });
});

describe('positions', () => {
  it('are those of the layout, within twelve columns', () =>
    expect(
      placesOf({ charts: [chart('a')], layout: [{ i: 'a', x: 9, y: 2, w: 6, h: 0.5, moved: false }] }, size),
    ).toEqual([{ i: 'a', x: 6, y: 2, w: 6, h: 1 }]));

  it('of elements without one are below the others, side by side', () =>
    expect(
      placesOf(
        { charts: ['a', 'b', 'c', 'd'].map((id) => chart(id)), layout: [{ i: 'a', x: 0, y: 0, w: 12, h: 3 }] },
        size,
      ).map(({ i, x, y }) => [i, x, y]),
    ).toEqual([
      ['a', 0, 0],
      ['b', 0, 3],
      ['c', 6, 3],
      ['d', 0, 7],
    ]));
});

it('elements of a collapsed section are hidden, except for filters', () => {
  const charts = [chart('a'), chart('s', 'SectionHeader'), chart('b'), chart('f', 'SmartFilter')];
  const places = charts.map(({ id }, y) => ({ i: id, x: 0, y, w: 12, h: 1 }));
  expect([...hiddenBy(charts, places, () => true)]).toEqual(['b']);
});

it('an element without APL explains why it has no query', () => {
  expect(queryOf({ ...chart('a'), query: { apl: 'shop' } })).toEqual({ apl: 'shop' });
  expect(queryOf({ ...chart('a'), query: { mpl: 'm:x' } })).toEqual({ mpl: 'm:x' });
  expect(queryOf({ ...chart('a'), query: { apl: 'm:x', metricsDataset: 'm' } })).toEqual({ mpl: 'm:x' });
  expect(queryOf(chart('a'))).toEqual({ problem: expect.stringMatching(/No query/) });
});
