import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DrawOffscreen } from '../../charts/use-in-viewport.js';
import { useStore } from '../../data/store.js';
import { Button } from '../../widgets/inputs/button.js';
import { type Flow, Page } from '../../widgets/page.js';
import { EmptyState } from '../../widgets/states.js';
import { Board } from './dashboard.js';
import { BoardBar } from './dashboard-bar.js';
import { useBoardCommands } from './dashboard-commands.js';
import styles from './dashboard.module.css';
import { useBoardParams } from './dashboard-params.js';
import type { BoardSheet } from './editing/dashboard-drawers.js';
import { valueLinksOf } from './document/value-links.js';
import { BoardValues } from './filter-values.js';
import { type BoardView, BoardViewContext } from './dashboard-view.js';
import { type Chart, flagMember, hiddenBy, placesOf } from './document/document.js';
import { withPlaces } from './document/edits.js';
import { RepeatedPart } from './repeated-element.js';
import { ElementFrame } from './element-frame.js';
import { kindOf, sizeOf } from './elements/element-table.js';
import { elementMenu } from './editing/element-menu.js';
import { allQueriesOf, isUnfiltered, optionsQuery } from './element-queries.js';
import type { BoardRecord } from './document/records.js';
import { useAdded } from './editing/use-add-element.js';
import { useDraft } from './editing/use-draft.js';
import { AnnotationsContext, useDashboardAnnotations } from './use-dashboard-annotations.js';
import { useMoving } from './editing/use-drag.js';
import { PaperHead } from './print-header.js';
import { FullScreenHeader } from './tv/full-screen-header.js';
import { TvBar } from './tv/tv-bar.js';
import { usePrint } from './use-print.js';
import { useRunner, useTimedRefresh } from './use-runner.js';

// Only needed for editing.
const BoardSheets = lazy(() =>
  import('./editing/dashboard-drawers.js').then(({ BoardSheets }) => ({ default: BoardSheets })),
);

/** A dashboard in view and edit mode. */
export function OpenBoard({
  record,
  tv,
}: {
  readonly record: BoardRecord;
  /** On a TV: the place in the rotation. */
  readonly tv?: { readonly place: string | undefined } | undefined;
}) {
  const draft = useDraft(record.document);
  const [version, setVersion] = useState(record.version);
  // Adopts another user's version unless there are unsaved changes.
  useEffect(() => {
    if (record.version === version || draft.isChanged) return;
    setVersion(record.version);
    draft.restart(record.document);
  }, [record, version, draft]);
  const { document } = draft;
  const { charts } = document;
  const runner = useRunner();
  const asked = useStore(runner.states);
  const params = useBoardParams(document, asked);
  const { asking, zone, edit } = params;
  const marks = useDashboardAnnotations(asking.range, params.marks);
  const { onPaper, print } = usePrint(runner);
  const running = useStore(runner.isRunning);
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  const [sheet, setSheet] = useState<BoardSheet>();
  useAdded(params, draft, (id) => setSheet({ kind: 'element', id }));
  const full = useRef<HTMLDivElement>(null);

  const places = useMemo(() => placesOf(document, sizeOf), [document]);
  const links = useMemo(() => valueLinksOf(document), [document]);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const closedSections = useMemo(() => {
    const isClosed = (chart: Chart): boolean =>
      toggled.has(chart.id) !== (flagMember(chart, 'collapsed') ?? flagMember(chart, 'collapseByDefault') ?? false);
    return new Set(charts.filter((chart) => chart.type === 'SectionHeader' && isClosed(chart)).map(({ id }) => id));
  }, [charts, toggled]);
  const hidden = useMemo(
    // While editing, elements have their final positions.
    () => (edit ? new Set<string>() : hiddenBy(charts, places, ({ id }) => closedSections.has(id))),
    [edit, charts, places, closedSections],
  );
  const shownCharts = useMemo(() => charts.filter(({ id }) => !hidden.has(id)), [charts, hidden]);
  const shownPlaces = useMemo(() => places.filter(({ i }) => !hidden.has(i)), [places, hidden]);

  const questions = useMemo(
    () =>
      shownCharts
        .filter(({ id }) => onPaper || visible.has(id))
        .flatMap((chart) => allQueriesOf(chart, kindOf(chart.type), asking)),
    [shownCharts, visible, onPaper, asking],
  );
  useEffect(() => runner.want(questions), [runner, questions]);
  useTimedRefresh(runner, document.refreshTime);

  const view: BoardView = {
    filterTexts: params.filterTexts,
    setFilter: params.setFilter,
    optionsOf: (filter) => asked.get(optionsQuery(filter, asking)?.key ?? ''),
    closedSections,
    toggleSection: (id) => {
      const next = new Set(toggled);
      if (!next.delete(id)) next.add(id);
      setToggled(next);
    },
  };
  const setRange = useRef(params.setRange);
  setRange.current = params.setRange;
  const onRange = useCallback((range: { readonly from: string; readonly to: string }) => setRange.current(range), []);
  const moving = useMoving(edit, places, (next) => draft.change((before) => withPlaces(before, next)));
  const fullScreen = (): void =>
    void (globalThis.document.fullscreenElement === null
      ? full.current?.requestFullscreen()
      : globalThis.document.exitFullscreen());
  useBoardCommands({ draft, params, runner, setSheet, fullScreen, print });

  const failed = [...questions].some(({ key }) => asked.get(key)?.error !== undefined);
  const flow: Flow = running ? 'running' : failed ? 'partial' : 'idle';
  return (
    <Page
      title={document.name}
      flow={flow}
      bar={
        tv === undefined ? (
          <BoardBar
            draft={draft}
            params={params}
            runner={runner}
            onSheet={setSheet}
            onFull={fullScreen}
            onPrint={print}
          />
        ) : (
          <TvBar asking={asking} zone={zone} place={tv.place} onExit={params.leaveTv} />
        )
      }
    >
      <BoardViewContext value={view}>
        <AnnotationsContext value={marks}>
          <DrawOffscreen value={onPaper}>
            <div ref={full} className={styles.full}>
              <FullScreenHeader name={document.name} zone={zone} />
              <BoardValues params={params} links={links}>
                {onPaper && <PaperHead name={document.name} range={asking.range} zone={zone} />}
                {charts.length === 0 ? (
                  <EmptyState
                    title="This dashboard is empty"
                    actions={
                      <Button
                        kind="primary"
                        needs={{ org: 'dashboards', action: 'update' }}
                        onPress={() => {
                          params.setEdit(true);
                          setSheet({ kind: 'add' });
                        }}
                      >
                        Add an element
                      </Button>
                    }
                  >
                    An element shows the result of a query.
                  </EmptyState>
                ) : (
                  <Board
                    charts={shownCharts}
                    onPaper={onPaper}
                    places={shownPlaces}
                    onVisible={setVisible}
                    onPlaces={edit ? (next) => draft.change((before) => withPlaces(before, next)) : undefined}
                    render={(chart) => (
                      <ElementFrame
                        chart={chart}
                        editing={edit}
                        moving={moving.id === chart.id}
                        unfiltered={params.isFiltered && isUnfiltered(chart, asking)}
                        groups={elementMenu({ chart, edit, draft, params, moving, setSheet })}
                        onKeyDown={(event) => moving.onKeyDown(event, chart.id)}
                      >
                        <RepeatedPart chart={chart} asking={asking} runner={runner} zone={zone} onRange={onRange} />
                      </ElementFrame>
                    )}
                  />
                )}
              </BoardValues>
              <span className="unseen" role="status">
                {moving.said}
              </span>
            </div>
          </DrawOffscreen>
        </AnnotationsContext>
      </BoardViewContext>
      {sheet !== undefined && (
        <Suspense>
          <BoardSheets
            sheet={sheet}
            onSheet={setSheet}
            draft={draft}
            asking={asking}
            zone={zone}
            range={params.rangeSearch}
            record={{ ...record, version }}
            onSaved={(saved) => {
              setVersion(saved.version);
              draft.restart(saved.document);
              params.setEdit(false);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}
