import { lazy, Suspense, useMemo, useState } from 'react';
import { datasetText } from '../../data/apl-text.js';
import { type Catalog, useCatalog } from '../../data/catalog.js';
import { useCommands } from '../../data/commands.js';
import { usePreferences } from '../../data/preferences.js';
import { slowestBy, spreadOf } from '../../editor/edits.js';
import { useFieldRoles } from '../../rows/field-roles.js';
import { splitField } from '../../rows/known-fields.js';
import { LinkTraces, traceOf, useTraceLinks } from '../../rows/trace-links.js';
import { ValueMenu } from '../../rows/value-menu.js';
import { useOutline } from '../../workbench/use-outline.js';
import { Workbench } from '../../workbench/workbench.js';
import { ErrorBoundary } from '../../widgets/error-boundary.js';
import { Drawer } from '../../widgets/overlays/dialog.js';
import { type Flow, Page } from '../../widgets/page.js';
import { QueryBar } from './bar/query-bar.js';
import { queryCommands } from './bar/query-commands.js';
import { QuerySheets, type SheetName } from './drawers/query-drawers.js';
import { FieldRail } from './fields/field-sidebar.js';
import { useFieldsPanel } from './fields/use-fields-panel.js';
import styles from './query.module.css';
import { useQueryState } from './query-state.js';
import { EventsHistogram } from './result/events-histogram.js';
import { PinnedStrip } from './result/pinned-strip.js';
import { ResultArea } from './result/result-area.js';
import { selectedPair } from './result/selected-pair.js';
import { useHistogram } from './result/use-histogram.js';
import { useRowPointer } from './result/use-row-pointer.js';
import { fittingView } from './result/views.js';
import { useAddToDashboard } from './use-add-to-dashboard.js';
import { useCreateMonitor } from './use-create-monitor.js';
import { useQueryText } from './use-query-text.js';
import { useRangeActions } from './use-range-actions.js';
import { useRefresh } from './use-refresh.js';
import { type Result, useResult } from './use-result.js';
import { useValueActions } from './use-value-actions.js';

/** Initially hidden content is lazy. */
const Annotate = lazy(() => import('./result/annotate.js').then(({ Annotate }) => ({ default: Annotate })));
const Detail = lazy(() => import('./detail/detail.js').then(({ Detail }) => ({ default: Detail })));
const FindBar = lazy(() => import('./bar/find-bar.js').then(({ FindBar }) => ({ default: FindBar })));
const RowDiff = lazy(() => import('./detail/row-diff.js').then(({ RowDiff }) => ({ default: RowDiff })));
const SelectionBar = lazy(() =>
  import('./result/selection-bar.js').then(({ SelectionBar }) => ({ default: SelectionBar })),
);

/** Query page: run, inspect, refine, run again. */
export function QueryPage() {
  const access = useQueryState();
  const { state, zone } = access;
  const catalog = useCatalog();
  const preferences = usePreferences();
  const [sheet, setSheet] = useState<SheetName>();
  const [timeOpen, setTimeOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const [diffing, setDiffing] = useState<readonly [number, number]>();
  const result = useResult(state);
  const { text, setText, run, runText, search, dataset: searched, pick } = useQueryText(access, result);
  const fields = useFieldsPanel();
  const outline = useOutline(state.q);
  const pointer = useRowPointer(access, result);
  const dataset = outline?.source?.name;
  const source = useMemo(() => catalog?.datasets.find(({ name }) => name === dataset), [catalog, dataset]);
  const known = source?.fields ?? noFields;
  const roles = useFieldRoles(dataset);
  const by = state.by === '-' ? undefined : state.by !== '' ? state.by : splitField(known, roles);
  const view = fittingView(state.v, result, outline);
  // A chart over time shows the same range: bars above it would repeat it.
  const showHistogram = preferences.showHistogram && !(view === 'chart' && outline?.groupsByTime === true);
  const histogram = useHistogram(state, outline, by, showHistogram);
  const values = useValueActions({ access, result, outline, pointer, roles, by, run });
  const ranges = useRangeActions(access, outline, { run, compare: values.compare });
  const traces = useTraceLinks(dataset);
  useRefresh(state, result);
  const createMonitor = useCreateMonitor(state, () => text);
  const addToDashboard = useAddToDashboard(() => text, view, result.answer);
  const compareRows = (): void => setDiffing(selectedPair(pointer.selected));
  useCommands(
    queryCommands({
      access,
      result,
      pointer,
      run: runText,
      filterOpen: values.filterCurrent,
      compareOpen: values.compareCurrent,
      diff: compareRows,
      openTrace: () => {
        const row = pointer.target();
        const found = row === undefined ? undefined : traceOf(result.source, row);
        if (found !== undefined) traces?.open(found);
      },
      openSheet: setSheet,
      openTime: () => setTimeOpen(true),
      find: () => setFinding(true),
      createMonitor,
      addToDashboard,
      finding,
      toggleFields: fields.toggle,
    }),
  );

  // Parts that do not depend on the text: typing does not render them. What they call depends on
  // the same values.
  const { source: rows, answer } = result;
  const isAsked = state.q !== '' && answer !== undefined;
  const fieldList = useMemo(
    () =>
      isAsked && (
        <FieldRail
          source={rows}
          known={known}
          state={state}
          events={
            outline === undefined || outline.source === undefined ? '' : state.q.slice(0, outline.eventsEnd).trimEnd()
          }
          chosen={values.columns.map(({ name }) => name)}
          onColumn={values.toggleColumn}
          onSlowest={(field, by) => outline !== undefined && run(slowestBy(state.q, outline, field, by))}
          onSpread={(field) => outline !== undefined && run(spreadOf(state.q, outline, field))}
        />
      ),
    [isAsked, rows, known, roles, state, outline, values.columns, run],
  );
  const { data, isFetching } = histogram;
  const bars = useMemo(
    () =>
      showHistogram && (
        <EventsHistogram
          access={access}
          histogram={{ data, isFetching }}
          isOld={result.old && result.error === null}
          outline={outline}
          dataset={dataset}
          fields={known}
          by={by}
          actions={ranges.actions}
          run={run}
        />
      ),
    [showHistogram, access, data, isFetching, result, outline, dataset, known, by, run],
  );
  const isExplained = isWrong && text === state.q;
  const results = useMemo(
    () => (
      <ResultArea
        view={view}
        dataset={source}
        access={access}
        result={result}
        outline={outline}
        pointer={pointer}
        isExplained={isExplained}
        run={run}
      />
    ),
    [view, source, access, result, outline, pointer, isExplained, run],
  );
  return (
    <Page
      title="Query"
      flow={flowOf(result)}
      scrolls={false}
      bar={
        <QueryBar
          access={access}
          result={result}
          text={search.apl ?? text}
          dataset={searched}
          view={view}
          fields={fields}
          dirty={text !== state.q && state.q !== ''}
          timeOpen={timeOpen}
          onTimeOpen={setTimeOpen}
          onRun={runText}
          onSheet={setSheet}
          onDataset={(name) => (search.apl === undefined ? run(datasetText(name)) : pick(name))}
        />
      }
    >
      <LinkTraces links={traces}>
        <ValueMenu groupsOf={values.groupsOf} onQuick={(value, how) => void values.filter(value, how)}>
          <section className={styles.ask} aria-label="The query">
            <Workbench
              text={text}
              range={state}
              label="Query in APL"
              search={search}
              onText={setText}
              onRun={run}
              onWrong={setWrong}
            />
          </section>
          <PinnedStrip access={access} result={result} outline={outline} />
          {bars}
          {finding && (
            <Suspense>
              <FindBar
                source={result.source}
                active={pointer.active}
                onRow={pointer.grid.onActive}
                onClose={() => setFinding(false)}
              />
            </Suspense>
          )}
          {pointer.selected.size > 0 && (
            <Suspense>
              <SelectionBar access={access} result={result} pointer={pointer} onCompare={compareRows} />
            </Suspense>
          )}
          <div className={styles.body}>
            {fields.isOpen && !fields.isDrawer && fieldList}
            {results}
            {pointer.open !== undefined && (
              <ErrorBoundary title="Could not load this row" subject={pointer.open}>
                <Suspense>
                  <Detail
                    access={access}
                    source={result.source}
                    row={pointer.open}
                    pointer={pointer}
                    dataset={dataset}
                  />
                </Suspense>
              </ErrorBoundary>
            )}
          </div>
        </ValueMenu>
      </LinkTraces>
      {fields.isDrawer && (
        <Drawer title="Fields" open={fields.isOpen && fieldList !== false} onClose={fields.toggle}>
          {fieldList}
        </Drawer>
      )}
      {diffing !== undefined && (
        <Suspense>
          <RowDiff source={result.source} rows={diffing} zone={zone} onClose={() => setDiffing(undefined)} />
        </Suspense>
      )}
      {ranges.annotating !== undefined && dataset !== undefined && (
        <Suspense>
          <Annotate bounds={ranges.annotating} dataset={dataset} zone={zone} onClose={ranges.stopAnnotating} />
        </Suspense>
      )}
      <QuerySheets
        open={sheet}
        access={access}
        result={result}
        text={text}
        onClose={() => setSheet(undefined)}
        onText={run}
      />
    </Page>
  );
}

const noFields: Catalog['datasets'][number]['fields'] = [];

/** State of the page's progress bar. */
function flowOf({ running, error, answer }: Result): Flow {
  if (running) return 'running';
  if (error !== null) return 'failed';
  return answer?.head.status.isPartial === true ? 'partial' : 'idle';
}
