import { type ComponentType, lazy, Suspense, useCallback, useMemo } from 'react';
import { sortedBy } from '../../../editor/edits.js';
import type { Outline } from '../../../editor/outline.js';
import { datasetOf, useFieldRoles } from '../../../rows/field-roles.js';
import { levelField, messageField } from '../../../rows/known-fields.js';
import { eventColumns } from '../../../rows/event-columns.js';
import { type LogLayout, LogRow, logRowSentence } from '../../../rows/log-row.js';
import { RowGrid } from '../../../rows/row-grid.js';
import { columnsOf, columnText, type TableColumn, TableHeader } from '../../../rows/table-header.js';
import { TableRow } from '../../../rows/table-row.js';
import { textOf } from '../../../data/results/cells.js';
import { Loading } from '../../../widgets/states.js';
import type { QueryStateAccess, ShownView, View } from '../query-state.js';
import { ResultFooter } from './result-footer.js';
import type { Result } from '../use-result.js';
import type { RowPointer } from './use-row-pointer.js';

const ChartView = lazy(() => import('./chart-view.js').then(({ ChartView }) => ({ default: ChartView })));
const JsonView = lazy(() => import('./json-view.js').then(({ JsonView }) => ({ default: JsonView })));
const PatternsView = lazy(() => import('./patterns-view.js').then(({ PatternsView }) => ({ default: PatternsView })));
const SpotlightView = lazy(() =>
  import('../spotlight/spotlight-view.js').then(({ SpotlightView }) => ({ default: SpotlightView })),
);

/** Default fields of a table of events. */
const MAX_COLUMNS = 16;
const MAX_GROUP_COLUMNS = 100;

export interface ViewProps {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly outline: Outline | undefined;
  readonly pointer: RowPointer;
  /** Runs a changed query. */
  readonly run: (text: string) => void;
}

/** The chosen view, or the one that fits the shape of the result. */
export function fittingView(chosen: View, result: Result, outline: Outline | undefined): ShownView {
  if (chosen !== 'auto') return chosen;
  const { answer } = result;
  if (answer === undefined) return 'log';
  if (outline?.chart !== undefined && outline.chart !== 'table') return 'chart';
  if (answer.table.head.buckets !== undefined) return 'chart';
  return answer.head.status.minCursor === undefined ? 'table' : 'log';
}

/** One component per view. */
const components: Readonly<Record<ShownView, ComponentType<ViewProps>>> = {
  log: LogView,
  table: TableView,
  json: JsonView,
  chart: ChartView,
  patterns: PatternsView,
  spotlight: SpotlightView,
};

export function ResultView({ view, ...props }: ViewProps & { readonly view: ShownView }) {
  const View = components[view];
  return (
    <Suspense key={view} fallback={<Loading />}>
      <View {...props} />
    </Suspense>
  );
}

const totalOf = ({ answer, source, hasMore }: Result): number =>
  hasMore ? Math.max(source.rows, answer?.head.status.rowsMatched ?? 0) : source.rows;

function LogView({ access, result, pointer }: ViewProps) {
  const { source } = result;
  const { state, zone } = access;
  const roles = useFieldRoles(datasetOf(result.answer));
  const layout: LogLayout = useMemo(
    () => ({
      message: messageField(source.fields, roles),
      level: levelField(source.fields, roles),
      chosen: columnsOf(state.c, source.fields).map(({ name }) => name),
    }),
    [source, state.c, roles],
  );
  return (
    <RowGrid
      label="Events"
      rows={source.rows}
      total={totalOf(result)}
      columns={3}
      wrap={state.wrap}
      render={useCallback(
        (row: number) => (
          <LogRow source={source} row={row} layout={layout} zone={zone} wrap={state.wrap} />
        ),
        [source, layout, zone, state.wrap],
      )}
      describe={(row) => logRowSentence(source, row, layout)}
      {...pointer.grid}
      onEnd={result.loadMore}
      footer={<ResultFooter result={result} zone={zone} />}
    />
  );
}

/** Columns of the table: chosen ones, or the first of the result. */
export function tableColumns(access: QueryStateAccess, result: Result): readonly TableColumn[] {
  const { fields } = result.source;
  if (access.state.c.length > 0) return columnsOf(access.state.c, fields);
  const isEvents = result.answer?.head.status.minCursor !== undefined;
  const most = isEvents ? MAX_COLUMNS : MAX_GROUP_COLUMNS;
  const names = isEvents ? eventColumns(result.source, most) : fields.slice(0, most).map(({ name }) => name);
  // Escapes a name that ends in a colon and digits, which would read as a width.
  return columnsOf(names, fields);
}

function TableView({ access, result, outline, pointer, run }: ViewProps) {
  const { source } = result;
  const { state, zone, change } = access;
  const columns = useMemo(() => tableColumns(access, result), [access, result]);
  const width = columns.reduce((sum, each) => sum + each.width, 24);
  const order = result.answer?.table.head.order[0];
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
      total={totalOf(result)}
      columns={columns.length}
      wrap={state.wrap}
      width={width}
      header={
        <TableHeader
          columns={columns}
          sort={sort}
          onSort={onSort}
          onChange={(next) => change({ c: next.map(columnText) })}
        />
      }
      render={(row) => <TableRow source={source} row={row} columns={columns} zone={zone} wrap={state.wrap} />}
      describe={(row) =>
        columns
          .slice(0, 6)
          .map(({ name }) => `${name} ${textOf(source.cell(row, name)).slice(0, 80)}`)
          .join(', ')
      }
      {...pointer.grid}
      onEnd={result.loadMore}
      footer={<ResultFooter result={result} zone={zone} />}
    />
  );
}
