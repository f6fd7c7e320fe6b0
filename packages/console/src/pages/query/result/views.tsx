import { type ComponentType, lazy, Suspense, useCallback, useMemo } from 'react';
import type { Outline } from '../../../editor/outline.js';
import { datasetOf, useFieldRoles } from '../../../rows/field-roles.js';
import type { Answer } from '../../../data/results/results.js';
import { isNumber, levelField, messageField } from '../../../rows/known-fields.js';
import { type LogLayout, LogRow, logRowSentence } from '../../../rows/log-row.js';
import { RowGrid } from '../../../rows/row-grid.js';
import { columnsOf } from '../../../rows/table-columns.js';
import { LoadingNotice } from '../../../widgets/states.js';
import type { QueryStateAccess, ShownView, View } from '../query-state.js';
import { ResultFooter } from './result-footer.js';
import { type Result, totalRows } from '../use-result.js';
import type { RowPointer } from './use-row-pointer.js';

const ChartView = lazy(() => import('./chart-view.js').then(({ ChartView }) => ({ default: ChartView })));
const JsonView = lazy(() => import('./json-view.js').then(({ JsonView }) => ({ default: JsonView })));
const PatternsView = lazy(() => import('./patterns-view.js').then(({ PatternsView }) => ({ default: PatternsView })));
const TableView = lazy(() => import('./table-view.js').then(({ TableView }) => ({ default: TableView })));
const SpotlightView = lazy(() =>
  import('../spotlight/spotlight-view.js').then(({ SpotlightView }) => ({ default: SpotlightView })),
);

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
  if (answer === undefined) return outline?.groupsByTime === true ? 'chart' : 'log';
  if (outline?.chart !== undefined && outline.chart !== 'table') return 'chart';
  if (answer.table.head.buckets !== undefined) return 'chart';
  if (answer.head.status.minCursor !== undefined) return 'log';
  return isStatistic(answer) ? 'chart' : 'table';
}

/** Most numbers of a row that are shown large. */
const MAX_FIGURES = 6;

/** Whether a result is a row of aggregates, without groups. */
const isStatistic = ({ table: { head, rows } }: Answer): boolean =>
  rows === 1 &&
  head.groups.length === 0 &&
  head.fields.length <= MAX_FIGURES &&
  head.fields.every(({ agg, type }) => agg !== undefined && isNumber(type));

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
    <Suspense key={view} fallback={<LoadingNotice />}>
      <View {...props} />
    </Suspense>
  );
}

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
      total={totalRows(result)}
      columns={3}
      wrap={state.wrap}
      render={useCallback(
        (row: number) => (
          <LogRow source={source} row={row} layout={layout} zone={zone} wrap={state.wrap} />
        ),
        [source, layout, zone, state.wrap],
      )}
      describe={useCallback((row: number) => logRowSentence(source, row, layout), [source, layout])}
      {...pointer.grid}
      onEnd={result.loadMore}
      footer={<ResultFooter result={result} zone={zone} />}
    />
  );
}
