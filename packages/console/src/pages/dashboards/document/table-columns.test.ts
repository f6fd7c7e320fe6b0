import { expect, it } from 'vitest';
import { tableColumns, shownColumns, withTableColumns } from './table-columns.js';

const columns = ['level', { name: 'msg', width: 300.4, pinned: true }, { width: 7 }, 7];
const chart = { id: 'a', type: 'Table', tableSettings: { columns, settings: { wrapLines: true } } };

it('columns are names, or names with widths; others are omitted', () => {
  expect(shownColumns(chart)).toEqual(['level', 'msg:300']);
  expect(shownColumns({ id: 'a', type: 'Table' })).toEqual([]);
});

it('a change preserves other properties of columns and the table', () =>
  expect(
    withTableColumns(chart, [
      ...tableColumns(chart)
        .map(({ entry }) => entry)
        .toReversed(),
      'host',
    ]),
  ).toEqual({
    ...chart,
    tableSettings: { columns: [columns[1], 'level', 'host'], settings: { wrapLines: true } },
  }));
