import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { datasetText } from '../../data/apl-text.js';
import { type Catalogue, useCatalogue } from '../../data/catalog.js';
import { useCommands } from '../../data/commands.js';
import { usePreferences } from '../../data/preferences.js';
import { zoomedRange } from '../../data/time/range-commands.js';
import { leadingColumns } from '../../rows/event-columns.js';
import { columnsOf, columnText } from '../../rows/table-header.js';
import { useFieldRoles } from '../../rows/field-roles.js';
import { splitField } from '../../rows/known-fields.js';
import { LinkTraces, traceOf, useTraceLinks } from '../../rows/trace-links.js';
import { type Pointed, ValueMenu } from '../../rows/value-menu.js';
import { conditionText, slowestBy, spreadOf, withCondition } from '../../editor/edits.js';
import { askLanguage } from '../../editor/language.js';
import { useOutline } from '../../workbench/use-outline.js';
import { useSearchText } from '../../workbench/use-search-text.js';
import { Workbench } from '../../workbench/workbench.js';
import { Histogram } from '../../charts/histogram.js';
import { isMetricsDataset } from '../../data/metrics/metrics-dataset.js';
import { Button } from '../../widgets/inputs/button.js';
import { ErrorBoundary } from '../../widgets/error-boundary.js';
import { Drawer } from '../../widgets/overlays/dialog.js';
import { type Flow, Page } from '../../widgets/page.js';
import { ErrorState, Loading } from '../../widgets/states.js';
import { CopyMenu } from './result/copy-menu.js';
import { EmptyResult } from './result/empty-result.js';
import { LandOnData, ToMetrics } from './result/landing.js';
import { useFieldsPanel } from './fields/use-fields-panel.js';
import { FieldRail } from './fields/field-sidebar.js';
import { PinnedStrip } from './result/pinned-strip.js';
import styles from './query.module.css';
import { QueryBar } from './bar/query-bar.js';
import { queryCommands } from './bar/query-commands.js';
import { useQueryState } from './query-state.js';
import { QuerySheets, type SheetName } from './drawers/query-drawers.js';
import { useChosenDataset } from './use-chosen-dataset.js';
import { useAddToDashboard } from './use-add-to-dashboard.js';
import { useCreateMonitor } from './use-create-monitor.js';
import { useAnnotations } from './result/use-annotations.js';
import { useHistogram } from './result/use-histogram.js';
import { useRangeActions } from './use-range-actions.js';
import { useRefresh } from './use-refresh.js';
import { useResult } from './use-result.js';
import { useRowPointer } from './result/use-row-pointer.js';
import { comparable, filtered, valueActions } from './result/value-actions.js';
import { fittingView, ResultView } from './result/views.js';

/** Initially hidden content is lazy. */
const Annotate = lazy(() => import('./result/annotate.js').then(({ Annotate }) => ({ default: Annotate })));
const Detail = lazy(() => import('./detail/detail.js').then(({ Detail }) => ({ default: Detail })));
const FindBar = lazy(() => import('./bar/find-bar.js').then(({ FindBar }) => ({ default: FindBar })));
const RowDiff = lazy(() => import('./detail/row-diff.js').then(({ RowDiff }) => ({ default: RowDiff })));

/** Query page: run, inspect, refine, run again. */
export function QueryPage() {
  const access = useQueryState();
  const { state, zone, ask, change } = access;
  const catalogue = useCatalogue();
  const preferences = usePreferences();
  const [text, setText] = useState(state.q);
  const [sheet, setSheet] = useState<SheetName>();
  const [timeOpen, setTimeOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  const [diffing, setDiffing] = useState<readonly [number, number]>();
  // History navigation restores the query text; no other state change overwrites the editor. Text
  // typed before the newest events open stays.
  const lastQ = useRef(state.q);
  useEffect(() => {
    const isLanding = lastQ.current === '';
    lastQ.current = state.q;
    setText((typed) => (isLanding && typed !== '' ? typed : state.q));
  }, [state.q]);

  const result = useResult(state);
  const fields = useFieldsPanel();
  const outline = useOutline(state.q);
  const pointer = useRowPointer(access, result);
  const dataset = outline?.source?.name;
  const subject = useMemo(() => catalogue?.datasets.find(({ name }) => name === dataset), [catalogue, dataset]);
  const known = subject?.fields ?? noFields;
  const roles = useFieldRoles(dataset);
  const by = state.by === '-' ? undefined : state.by !== '' ? state.by : splitField(known, roles);
  const histogram = useHistogram(state, outline, by, preferences.showHistogram);

  const run = useCallback(
    (next: string) => {
      setText(next);
      if (next === state.q) result.again();
      else ask({ q: next });
    },
    [ask, result, state.q],
  );
  const { chosen: searched, pick } = useChosenDataset(state.q);
  const search = useSearchText(text, searched);
  const runText = useCallback(() => void search.resolve().then((apl) => apl !== undefined && run(apl)), [run, search]);
  const chosen = useMemo(() => columnsOf(state.c, result.source.fields), [state.c, result.source]);
  const toggleColumn = (field: string): void => {
    const without = chosen.filter(({ name }) => name !== field);
    const isAdded = without.length === chosen.length;
    const first = chosen.length === 0 && field !== '_time' ? leadingColumns(result.source, roles) : [];
    const next = isAdded ? [...first, ...state.c, field] : without.map(columnText);
    change({ c: next });
  };
  const compare = useCallback((sel: string, base = '') => change({ sel, base, v: 'spotlight' }), [change]);
  const around = {
    text: state.q,
    outline,
    run,
    addColumn: toggleColumn,
    whole: result.source.whole,
    compare,
    selection: state.v === 'spotlight' ? state.sel : '',
  };
  const view = fittingView(state.v, result, outline);
  const flow: Flow = result.running
    ? 'running'
    : result.error !== null
      ? 'failed'
      : result.answer?.head.status.isPartial === true
        ? 'partial'
        : 'idle';
  /** Value for keyboard commands: the first column of the current row. */
  const pointed = (): Pointed | undefined => {
    const columns = result.source.fields;
    // Groups have no field to split the bars by.
    const field = chosen[0]?.name ?? (columns.some(({ name }) => name === by) ? by : columns[0]?.name);
    if (pointer.active === undefined || field === undefined) return undefined;
    const type = columns.find(({ name }) => name === field)?.type ?? 'string';
    return { field, type, cell: result.source.cell(pointer.active, field) };
  };
  const narrow = async (value: Pointed | undefined, how: 'include' | 'exclude'): Promise<void> => {
    // The user may be faster than the worker that parses the query.
    const known = outline ?? (await askLanguage('outline', state.q));
    const next = value && filtered({ text: state.q, outline: known }, value, how);
    if (next !== undefined) run(next);
  };
  const ranges = useRangeActions(access, outline, { run, compare });
  const marks = useAnnotations(dataset, histogram.data);
  const traces = useTraceLinks(dataset);
  useRefresh(state, result);
  const createMonitor = useCreateMonitor(state, text);
  const addToDashboard = useAddToDashboard(text, view, result.answer);
  useCommands(
    queryCommands({
      access,
      result,
      pointer,
      run: runText,
      filterOpen: (how) => void narrow(pointed(), how),
      compareOpen: () => {
        const condition = comparable(pointed());
        if (condition !== undefined) compare(condition);
      },
      diff: () => setDiffing(twoOf(pointer.selected)),
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

  const fieldList = state.q !== '' && result.answer !== undefined && (
    <FieldRail
      source={result.source}
      known={known}
      state={state}
      events={
        outline === undefined || outline.source === undefined ? '' : state.q.slice(0, outline.eventsEnd).trimEnd()
      }
      chosen={chosen.map(({ name }) => name)}
      onColumn={toggleColumn}
      onSlowest={(field, by) => outline !== undefined && run(slowestBy(state.q, outline, field, by))}
      onSpread={(field) => outline !== undefined && run(spreadOf(state.q, outline, field))}
    />
  );
  const isEmpty = result.answer !== undefined && result.source.rows === 0 && !result.running;
  return (
    <Page
      title="Query"
      flow={flow}
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
        <ValueMenu
          groupsOf={(pointed) => valueActions(around, pointed)}
          onQuick={(value, how) => void narrow(value, how)}
        >
          <section className={styles.ask} aria-label="The query">
            <Workbench text={text} range={state} label="Query in APL" search={search} onText={setText} onRun={run} />
          </section>
          <PinnedStrip access={access} result={result} outline={outline} />
          {preferences.showHistogram && histogram.data === undefined && histogram.isFetching && (
            <div className={styles.histogramPlace} />
          )}
          {preferences.showHistogram && histogram.data !== undefined && (
            <div className={histogram.isFetching || result.old ? styles.old : undefined}>
              <Histogram
                data={histogram.data}
                zone={zone}
                label={`Events of ${dataset ?? 'the query'}`}
                marks={marks}
                actions={ranges.actions}
                onZoomOut={() => {
                  const next = zoomedRange(state, 2);
                  if (next !== undefined) ask(next);
                }}
                onValue={(value, how) => {
                  const type = known.find(({ name }) => name === by)?.type ?? 'string';
                  const cell = value === 'null' ? null : type === 'integer' ? Number(value) : value;
                  const condition =
                    by === undefined || value === 'other' ? undefined : conditionText(by, cell, type, how);
                  if (condition !== undefined && outline !== undefined) run(withCondition(state.q, outline, condition));
                }}
              />
            </div>
          )}
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
            <div className={styles.strip}>
              <CopyMenu access={access} result={result} selected={pointer.selected} />
              <Button
                small
                disabled={twoOf(pointer.selected) === undefined}
                hint="Compare the two selected rows (D)"
                onPress={() => setDiffing(twoOf(pointer.selected))}
              >
                Compare
              </Button>
              <Button small kind="quiet" onPress={pointer.clear}>
                Select none
              </Button>
            </div>
          )}
          <div className={styles.body}>
            {fields.isOpen && !fields.isDrawer && fieldList}
            <div className={result.old ? `${styles.result} ${styles.old}` : styles.result} aria-busy={result.running}>
              {state.q === '' && <LandOnData />}
              {subject !== undefined && isMetricsDataset(subject) && <ToMetrics dataset={subject.name} range={state} />}
              {result.error !== null && result.source.rows === 0 && (
                <ErrorState title="The query failed" error={result.error} onRetry={result.again} />
              )}
              {result.error !== null && result.old && (
                <ErrorState
                  title="Query failed. Showing previous results."
                  error={result.error}
                  onRetry={result.again}
                />
              )}
              {state.q !== '' && result.answer === undefined && result.running && <Loading lines={12} />}
              {isEmpty && <EmptyResult access={access} outline={outline} run={run} />}
              {result.answer !== undefined && !isEmpty && (
                <ErrorBoundary title="This view failed" subject={`${view} ${state.q}`}>
                  <ResultView
                    view={view}
                    access={access}
                    result={result}
                    outline={outline}
                    pointer={pointer}
                    run={run}
                  />
                </ErrorBoundary>
              )}
            </div>
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

/** The two selected rows in order; undefined for other selections. */
function twoOf(selected: ReadonlySet<number>): readonly [number, number] | undefined {
  const [a, b, more] = [...selected].toSorted((x, y) => x - y);
  return a === undefined || b === undefined || more !== undefined ? undefined : [a, b];
}

const noFields: Catalogue['datasets'][number]['fields'] = [];
