import { describe, expect, it } from 'vitest';
import type { BoardDocument } from '../document/document.js';
import { removeElement, withNew, withPlaces } from '../document/edits.js';
import { withMember } from '../document/with-member.js';
import { changesBetween } from './changes.js';

const board: BoardDocument = {
  name: 'Shop',
  owner: 'X-AXIOM-EVERYONE',
  charts: [
    { id: 'a', type: 'TimeSeries', name: 'Requests', query: { apl: 'shop | count' } },
    { id: 'b', type: 'Note', text: 'short' },
    { id: 'f', type: 'SmartFilter', filters: [{ id: '_x', name: 'X' }] },
  ],
  layout: ['a', 'b', 'f'].map((i, y) => ({ i, x: 0, y, w: 6, h: 1 })),
  refreshTime: 60,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
};
const chart = (index: number, path: readonly string[], value: unknown): BoardDocument => ({
  ...board,
  charts: board.charts.map((each, at) => (at === index ? (withMember(each, path, value) as typeof each) : each)),
});

describe('changes in words', () => {
  it.each<readonly [string, BoardDocument, readonly string[]]>([
    ['nothing', board, []],
    ['the name', { ...board, name: 'Store' }, ['Name: Shop → Store']],
    ['visibility', { ...board, owner: 'u1' }, ['Visible to: everyone → only its owner']],
    ['refresh', { ...board, refreshTime: 0 }, ['Refresh interval: 60 s → never']],
    ['the time range', { ...board, timeWindowStart: 'qr-now-7d' }, ['Default time range: Last hour → Last 7 days']],
    ['a property that others know', { ...board, overrides: 1 }, ['Property overrides changed']],
    ['a new element', withNew(board, 'TopK').document, ['Top list added']],
    ['a removed element', removeElement(board, 'a'), ['Time series “Requests” removed']],
    ['a query', chart(0, ['query', 'apl'], 'shop'), ['Query of “Requests” changed']],
    ['a title', chart(0, ['name'], 'All requests'), ['Time series “Requests” renamed to “All requests”']],
    ['a kind', chart(0, ['type'], 'Table'), ['“Requests”: Time series → Table']],
    ['a unit', chart(0, ['unit'], 'BytesSec'), ['“Requests”: Unit: default → bytes per second']],
    ['a long text', chart(1, ['text'], 'x'.repeat(50)), ['“Note”: Content (Markdown) changed']],
    ['an option without a field', chart(0, ['other'], 1), ['Options of “Requests” changed']],
    ['a filter', chart(2, ['filters'], [{ id: '_x', name: 'X', type: 'search' }]), ['Filter “X” changed']],
    ['another filter', chart(2, ['filters'], [{ id: '_y' }]), ['Filter “_y” added', 'Filter “X” removed']],
    [
      'a place',
      withPlaces(board, [{ i: 'a', x: 6, y: 0, w: 6, h: 2 }, ...(board.layout.slice(1) as never[])]),
      ['“Requests” moved and resized'],
    ],
  ])('say what happened to %s', (_, after, said) => expect(changesBetween(board, after)).toEqual(said));

  it('count what moved when it is much', () => {
    const many = withNew(withNew(board, 'Note').document, 'Note').document;
    const next = { ...many, layout: many.layout.map((each) => ({ ...each, x: each.x! + 1 })) };
    expect(changesBetween(many, next)).toEqual(['5 elements moved or resized']);
  });
});
