import { describe, expect, it } from 'vitest';
import type { BoardDocument } from './document.js';
import { movePlace, withChart, withDuplicate, withNew, removeElement, withPlaces, withQuery } from './edits.js';
import { withMember } from './with-member.js';

const board: BoardDocument = {
  name: 'Board',
  charts: [
    { id: 'a', type: 'Note', text: 'A', modified: 1769205867543 },
    { id: 'b', type: 'Table', name: 'B' },
  ],
  layout: [
    { i: 'a', x: 0, y: 0, w: 6, h: 2, minW: 2, moved: false },
    { i: 'b', x: 0, y: 2, w: 6, h: 4 },
  ],
  refreshTime: 60,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
  overrides: { rowHeight: 3 },
};
const places = board.layout as never;
const placesById = (list: readonly { i: string; x?: unknown; y?: unknown; w: unknown; h: unknown }[]) =>
  Object.fromEntries(list.map(({ i, x, y, w, h }) => [i, [x, y, w, h]]));

describe('moving by keyboard', () => {
  it('moves sideways within the columns', () => {
    expect(placesById(movePlace(places, 'a', { x: 1 }))).toMatchObject({ a: [1, 0, 6, 2] });
    expect(placesById(movePlace(places, 'a', { x: -1 }))).toMatchObject({ a: [0, 0, 6, 2] });
  });
  it('moves past the neighbor below, and back', () => {
    const down = movePlace(places, 'a', { y: 1 });
    expect(placesById(down)).toEqual({ a: [0, 4, 6, 2], b: [0, 0, 6, 4] });
    const up = movePlace(down, 'a', { y: -4 });
    expect(placesById(up)).toEqual({ a: [0, 0, 6, 2], b: [0, 2, 6, 4] });
  });
  it('resizes, and the others make room', () =>
    expect(placesById(movePlace(places, 'a', { h: 1, w: 20 }))).toEqual({ a: [0, 0, 12, 3], b: [0, 3, 6, 4] }));
});

describe('edits', () => {
  it('preserve unknown properties', () => {
    const next = withPlaces(board, movePlace(places, 'a', { x: 1 }));
    expect(next.layout[0]).toMatchObject({ x: 1, minW: 2, moved: false });
    expect(next['overrides']).toBe(board['overrides']);
    expect(withChart(board, 'a', { id: 'other', type: 'Note', text: 'B' }).charts[0]).toEqual({
      id: 'a',
      type: 'Note',
      text: 'B',
    });
  });
  it('change nothing when nothing moved', () => expect(withPlaces(board, places)).toBe(board));
  it('add where there is room, under a free ID, and remove with the position', () => {
    const { document, id } = withNew(board, 'Note');
    expect(id).toBe('note-1');
    expect(placesById(document.layout)).toMatchObject({ 'note-1': [0, 6, 12, 2] });
    expect(removeElement(document, id)).toEqual(board);
    expect(placesById(withNew(board, 'Statistic').document.layout)).toMatchObject({ 'statistic-1': [6, 0, 3, 3] });
    const bar = withNew(board, 'SmartFilter');
    expect(placesById(bar.document.layout)).toEqual({
      a: [0, 1, 6, 2],
      b: [0, 3, 6, 4],
      'smartfilter-1': [0, 0, 12, 1],
    });
    expect(withDuplicate(board, 'b').charts.at(-1)).toEqual({ id: 'table-1', type: 'Table', name: 'B (copy)' });
  });
  it('reach into properties and leave no empty ones', () => {
    const chart = { id: 'a', query: { apl: 'x', queryOptions: { keep: 1 } } };
    expect(withMember(chart, ['query', 'queryOptions', 'displayNull'], 'zero')).toEqual({
      id: 'a',
      query: { apl: 'x', queryOptions: { keep: 1, displayNull: 'zero' } },
    });
    expect(withMember(chart, ['query', 'apl'], undefined)).toEqual({ id: 'a', query: { queryOptions: { keep: 1 } } });
  });
  it('update the copy of a query, where there is one', () => {
    const chart = { id: 'a', type: 'Table', query: { apl: 'x', queryOptions: { editorContent: 'x', keep: 1 } } };
    expect(withQuery(chart, 'y')).toEqual({
      ...chart,
      query: { apl: 'y', queryOptions: { editorContent: 'y', keep: 1 } },
    });
    const other = { ...chart, query: { apl: 'x', queryOptions: { editorContent: 'draft' } } };
    expect(withQuery(other, 'y')['query']).toEqual({ apl: 'y', queryOptions: { editorContent: 'draft' } });
    expect(withQuery({ id: 'a', type: 'Table' }, 'm:cpu', 'mpl')['query']).toEqual({ mpl: 'm:cpu' });
    expect(withQuery(other, 'm:cpu', 'mpl')['query']).toEqual({
      mpl: 'm:cpu',
      queryOptions: { editorContent: 'draft' },
    });
    const named = { ...chart, query: { apl: 'm:cpu', metricsDataset: 'm' } };
    expect(withQuery(named, 'n:cpu', 'mpl')['query']).toEqual({ apl: 'n:cpu', metricsDataset: 'n' });
    expect(withQuery(named, 'y')['query']).toEqual({ apl: 'y' });
    expect(withQuery({ id: 'a', type: 'Table' }, 'y')).toEqual({ id: 'a', type: 'Table', query: { apl: 'y' } });
  });
});
