import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useCatalogue } from '../../data/catalogue.js';
import { useCommands } from '../../data/commands.js';
import { useTaste } from '../../data/taste.js';
import { zoomedRange } from '../../data/time/range-commands.js';
import { columnsOf, columnText } from '../../rows/table-header.js';
import { splitField } from '../../rows/known-fields.js';
import { LinkTraces, traceOf, useTraceLinks } from '../../rows/trace-links.js';
import { type Pointed, ValueMenu } from '../../rows/value-menu.js';
import { conditionText, slowestBy, spreadOf, withCondition } from '../../editor/edits.js';
import { askLanguage } from '../../editor/language.js';
import { useOutline } from '../../workbench/use-outline.js';
import { Workbench } from '../../workbench/workbench.js';
import { Histogram } from '../../charts/histogram.js';
import { Button } from '../../widgets/inputs/button.js';
import { ErrorBoundary } from '../../widgets/error-boundary.js';
import { type Flow, Page } from '../../widgets/page.js';
import { ErrorState, Loading } from '../../widgets/states.js';
import { CopyMenu } from './result/copy-menu.js';
import { EmptyResult, Unasked } from './result/empty-result.js';
import { FieldRail } from './fields/field-rail.js';
import { PinnedStrip } from './result/pinned-strip.js';
import styles from './query.module.css';
import { QueryBar } from './bar/query-bar.js';
import { queryCommands } from './bar/query-commands.js';
import { useQueryState } from './query-state.js';
import { QuerySheets, type SheetName } from './sheets/query-sheets.js';
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

/** What nobody sees before they open it is a chunk of its own. */
const Annotate = lazy(() => import('./result/annotate.js').then(({ Annotate }) => ({ default: Annotate })));
const Detail = lazy(() => import('./detail/detail.js').then(({ Detail }) => ({ default: Detail })));
const FindBar = lazy(() => import('./bar/find-bar.js').then(({ FindBar }) => ({ default: FindBar })));
const RowDiff = lazy(() => import('./detail/row-diff.js').then(({ RowDiff }) => ({ default: RowDiff })));

/** Ask, look, narrow down, ask again. */
export function QueryPage() {
  const access = useQueryState();
  const { state, zone, ask, change } = access;
  const catalogue = useCatalogue();
  const taste = useTaste();
  const [text, setText] = useState(state.q);
  const [sheet, setSheet] = useState<SheetName>();
  const [timeOpen, setTimeOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  const [diffing, setDiffing] = useState<readonly [number, number]>();
  // Back and forward bring their text along; what is being typed is not touched by anything else.
  useEffect(() => setText(state.q), [state.q]);

  const result = useResult(state);
  const outline = useOutline(state.q);
  const pointer = useRowPointer(access, result);
  const dataset = outline?.source?.name;
  const known = useMemo(
    () => catalogue?.datasets.find(({ name }) => name === dataset)?.fields ?? [],
    [catalogue, dataset],
  );
  const by = state.by === '-' ? undefined : state.by !== '' ? state.by : splitField(known);
  const histogram = useHistogram(state, outline, by, taste.showHistogram);

  const run = useCallback(
    (next: string) => {
      setText(next);
      if (next === state.q) result.again();
      else ask({ q: next });
    },
    [ask, result, state.q],
  );
  const runText = useCallback(() => run(text), [run, text]);
  const chosen = useMemo(() => columnsOf(state.c, result.source.fields), [state.c, result.source]);
  const toggleColumn = (field: string): void => {
    const without = chosen.filter(({ name }) => name !== field);
    const next = without.length === chosen.length ? [...state.c, field] : without.map(columnText);
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
  /** The value that keys are about: that of the first column, in the row that is pointed at. */
  const pointed = (): Pointed | undefined => {
    const fields = result.source.fields;
    // Of groups there is no field that the bars are split by.
    const field = chosen[0]?.name ?? (fields.some(({ name }) => name === by) ? by : fields[0]?.name);
    if (pointer.active === undefined || field === undefined) return undefined;
    const type = fields.find(({ name }) => name === field)?.type ?? 'string';
    return { field, type, cell: result.source.cell(pointer.active, field) };
  };
  const narrow = async (value: Pointed | undefined, how: 'include' | 'exclude'): Promise<void> => {
    // Who is quick may come before the worker that reads the query.
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
        const found = pointer.active === undefined ? undefined : traceOf(result.source, pointer.active);
        if (found !== undefined) traces?.open(found);
      },
      openSheet: setSheet,
      openTime: () => setTimeOpen(true),
      find: () => setFinding(true),
      createMonitor,
      addToDashboard,
      finding,
    }),
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
          text={text}
          view={view}
          dirty={text !== state.q && state.q !== ''}
          timeOpen={timeOpen}
          onTimeOpen={setTimeOpen}
          onRun={runText}
          onSheet={setSheet}
          onText={run}
        />
      }
    >
      <LinkTraces links={traces}>
        <ValueMenu
          groupsOf={(pointed) => valueActions(around, pointed)}
          onQuick={(value, how) => void narrow(value, how)}
        >
          <section className={styles.ask} aria-label="The query">
            <Workbench text={text} range={state} label="Query in APL" onText={setText} onRun={run} />
          </section>
          <PinnedStrip access={access} result={result} outline={outline} />
          {taste.showHistogram && histogram.data === undefined && histogram.isFetching && (
            <div className={styles.histogramPlace} />
          )}
          {taste.showHistogram && histogram.data !== undefined && (
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
                hint="Of two selected rows, the fields that differ: d"
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
            {taste.showFields && state.q !== '' && result.answer !== undefined && (
              <FieldRail
                source={result.source}
                known={known}
                state={state}
                events={
                  outline === undefined || outline.source === undefined
                    ? ''
                    : state.q.slice(0, outline.eventsEnd).trimEnd()
                }
                chosen={chosen.map(({ name }) => name)}
                onColumn={toggleColumn}
                onSlowest={(field, by) => outline !== undefined && run(slowestBy(state.q, outline, field, by))}
                onSpread={(field) => outline !== undefined && run(spreadOf(state.q, outline, field))}
              />
            )}
            <div className={result.old ? `${styles.result} ${styles.old}` : styles.result} aria-busy={result.running}>
              {state.q === '' && <Unasked access={access} onText={run} />}
              {result.error !== null && result.source.rows === 0 && (
                <ErrorState title="The query failed" error={result.error} onRetry={result.again} />
              )}
              {result.error !== null && result.old && (
                <ErrorState
                  title="The query failed: these rows are of the one before"
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
              <ErrorBoundary title="This row cannot be shown" subject={pointer.open}>
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

/** The two rows that are selected, in their order; undefined if there are not two. */
function twoOf(selected: ReadonlySet<number>): readonly [number, number] | undefined {
  const [a, b, more] = [...selected].toSorted((x, y) => x - y);
  return a === undefined || b === undefined || more !== undefined ? undefined : [a, b];
}
