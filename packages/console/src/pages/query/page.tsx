import { useCallback, useEffect, useMemo, useState } from 'react';
import type { EditorDiagnostic } from '@millrace/apl/editor';
import { useCatalogue } from '../../data/catalogue.js';
import { useCommands } from '../../data/commands.js';
import { useTaste } from '../../data/taste.js';
import { columnsOf, columnText } from '../../rows/table-header.js';
import { splitField } from '../../rows/known-fields.js';
import { ValueMenu } from '../../rows/value-menu.js';
import { QueryEditor } from '../../editor/query-editor.js';
import { conditionText, withCondition } from '../../editor/edits.js';
import { tellLanguage } from '../../editor/language.js';
import { Histogram } from '../../charts/histogram.js';
import { rangeOf } from '../../data/time/ranges.js';
import { Button } from '../../widgets/button.js';
import { ErrorBoundary } from '../../widgets/error-boundary.js';
import { type Flow, Page } from '../../widgets/page.js';
import { ErrorState, Loading } from '../../widgets/states.js';
import { Builder } from './builder.js';
import { CopyMenu } from './copy-menu.js';
import { Detail } from './detail.js';
import { EmptyResult, Unasked } from './empty-result.js';
import { FindBar } from './find-bar.js';
import { FieldRail } from './field-rail.js';
import { Findings } from './findings.js';
import { PinnedStrip } from './pinned-strip.js';
import styles from './query.module.css';
import { QueryBar } from './query-bar.js';
import { queryCommands, zoomedRange } from './query-commands.js';
import { useQueryState } from './query-state.js';
import { QuerySheets, type SheetName } from './query-sheets.js';
import { useAddToDashboard } from './use-add-to-dashboard.js';
import { useCreateMonitor } from './use-create-monitor.js';
import { useHistogram } from './use-histogram.js';
import { useOutline } from './use-outline.js';
import { useResult } from './use-result.js';
import { useRowPointer } from './use-row-pointer.js';
import { useValuesOf } from './use-values-of.js';
import { filtered, valueActions } from './value-actions.js';
import { fittingView, ResultView } from './views.js';

/** Ask, look, narrow down, ask again. */
export function QueryPage() {
  const access = useQueryState();
  const { state, zone, ask, change } = access;
  const catalogue = useCatalogue();
  const taste = useTaste();
  const [text, setText] = useState(state.q);
  const [findings, setFindings] = useState<readonly EditorDiagnostic[]>([]);
  const [sheet, setSheet] = useState<SheetName>();
  const [timeOpen, setTimeOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  // Back and forward bring their text along; what is being typed is not touched by anything else.
  useEffect(() => setText(state.q), [state.q]);
  useEffect(() => {
    if (catalogue !== undefined) tellLanguage(catalogue);
  }, [catalogue]);

  const result = useResult(state);
  const outline = useOutline(state.q);
  const typedOutline = useOutline(text);
  const pointer = useRowPointer(access, result);
  const dataset = outline?.source?.name;
  const known = useMemo(
    () => catalogue?.datasets.find(({ name }) => name === dataset)?.fields ?? [],
    [catalogue, dataset],
  );
  const by = state.by === '-' ? undefined : state.by !== '' ? state.by : splitField(known);
  const histogram = useHistogram(state, outline, by, taste.showHistogram);
  const valuesOf = useValuesOf(state, typedOutline, text);

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
  const around = { text: state.q, outline, run, addColumn: toggleColumn, whole: result.source.whole };
  const view = fittingView(state.v, result, outline);
  const flow: Flow = result.running
    ? 'running'
    : result.error !== null
      ? 'failed'
      : result.answer?.head.status.isPartial === true
        ? 'partial'
        : 'idle';
  const filterOpen = (how: 'include' | 'exclude'): void => {
    const field = chosen[0]?.name ?? by;
    if (pointer.active === undefined || field === undefined) return;
    const type = result.source.fields.find(({ name }) => name === field)?.type ?? 'string';
    const next = filtered(around, { field, type, cell: result.source.cell(pointer.active, field) }, how);
    if (next !== undefined) run(next);
  };
  const createMonitor = useCreateMonitor(state, text);
  const addToDashboard = useAddToDashboard(text, view, result.answer);
  useCommands(
    queryCommands({
      access,
      result,
      pointer,
      run: runText,
      filterOpen,
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
      <ValueMenu
        groupsOf={(pointed) => valueActions(around, pointed)}
        onQuick={(pointed, how) => {
          const next = filtered(around, pointed, how);
          if (next !== undefined) run(next);
        }}
      >
        <section className={styles.ask} aria-label="The query">
          <QueryEditor
            text={text}
            onChange={setText}
            onRun={runText}
            onFindings={setFindings}
            valuesOf={valuesOf}
            label="Query in APL"
          />
          <Findings findings={findings} text={text} onText={setText} onRun={run} />
          <Builder text={text} outline={typedOutline} onText={run} />
        </section>
        <PinnedStrip access={access} result={result} outline={outline} />
        {taste.showHistogram && histogram.data !== undefined && (
          <div className={histogram.isFetching || result.old ? styles.old : undefined}>
            <Histogram
              data={histogram.data}
              zone={zone}
              label={`Events of ${dataset ?? 'the query'}`}
              onSelect={(bounds) => ask(rangeOf(bounds))}
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
          <FindBar
            source={result.source}
            active={pointer.active}
            onRow={pointer.grid.onActive}
            onClose={() => setFinding(false)}
          />
        )}
        {pointer.selected.size > 0 && (
          <div className={styles.strip}>
            <CopyMenu access={access} result={result} selected={pointer.selected} />
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
            {result.answer !== undefined && !isEmpty && (result.error === null || !result.old) && (
              <ErrorBoundary title="This view failed" subject={`${view} ${state.q}`}>
                <ResultView view={view} access={access} result={result} outline={outline} pointer={pointer} run={run} />
              </ErrorBoundary>
            )}
          </div>
          {pointer.open !== undefined && (
            <ErrorBoundary title="This row cannot be shown" subject={pointer.open}>
              <Detail access={access} source={result.source} row={pointer.open} pointer={pointer} dataset={dataset} />
            </ErrorBoundary>
          )}
        </div>
      </ValueMenu>
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
