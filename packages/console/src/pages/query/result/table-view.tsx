import { useCallback, useMemo } from 'react';
import { textOf } from '../../../data/results/cells.js';
import { sortedBy } from '../../../editor/edits.js';
import { RowGrid } from '../../../rows/row-grid.js';
import { columnText } from '../../../rows/table-columns.js';
import { TableHeader } from '../../../rows/table-header.js';
import { TableRow } from '../../../rows/table-row.js';
import { ResultFooter } from './result-footer.js';
import { totalRows } from '../use-result.js';
import { tableColumns } from './shown-columns.js';
import type { ViewProps } from './views.js';

/** Rows with a column per field. */
export function TableView({ access, result, outline, pointer, run }: ViewProps) {
  const { source, answer } = result;
  const { state, zone, change } = access;
  const { wrap } = state;
  // Typing renders the page; columns that stay the same spare the rows.
  const columns = useMemo(() => tableColumns({ state }, { source, answer }), [state, source, answer]);
  const width = columns.reduce((sum, each) => sum + each.width, 24);
  const order = answer?.table.head.order[0];
  const sort = state.s !== '' ? state.s : order === undefined ? '' : `${order.desc ? '-' : ''}${order.field}`;
  const onSort = (field: string): void => {
    const next = sort === `-${field}` ? field : `-${field}`;
    // Sorting a truncated result would be incomplete: changes the query instead.
    if (result.hasMore && outline !== undefined)
      run(sortedBy(state.q, outline, field, next.startsWith('-') ? 'desc' : 'asc'));
    else change({ s: next });
  };
  return (
    <RowGrid
      label="Rows"
      rows={source.rows}
      total={totalRows(result)}
      columns={columns.length}
      wrap={wrap}
      width={width}
      header={
        <TableHeader
          columns={columns}
          sort={sort}
          onSort={onSort}
          onChange={(next) => change({ c: next.map(columnText) })}
        />
      }
      render={useCallback(
        (row: number) => (
          <TableRow source={source} row={row} columns={columns} zone={zone} wrap={wrap} />
        ),
        [source, columns, zone, wrap],
      )}
      describe={useCallback(
        (row: number) =>
          columns
            .slice(0, 6)
            .map(({ name }) => `${name} ${textOf(source.cell(row, name)).slice(0, 80)}`)
            .join(', '),
        [source, columns],
      )}
      {...pointer.grid}
      onEnd={result.loadMore}
      footer={<ResultFooter result={result} zone={zone} />}
    />
  );
}
