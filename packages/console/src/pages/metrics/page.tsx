import { outline as readOutline } from '@millrace/mpl/editor';
import { ChevronDown, Database, LayoutDashboard, Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCommands } from '../../data/commands.js';
import { useMetrics, useMetricsDatasets } from '../../data/metrics/metrics-api.js';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { rangeCommands } from '../../data/time/range-commands.js';
import type { Range } from '../../data/time/ranges.js';
import { isZone } from '../../data/time/zones.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { TimeField } from '../../widgets/inputs/time-field.js';
import { Menu } from '../../widgets/overlays/menu.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { MetricList } from './metric-list.js';
import styles from './metrics.module.css';
import { metricsParams } from './metrics-params.js';
import { MetricsQuery } from './metrics-query.js';
import { NoDataset, NoMetrics } from './no-metrics.js';
import { formatQuery, useQueryActions } from './query-actions.js';
import { QueryMenu } from './query-menu.js';
import { starterQuery } from './starter-query.js';
import { useMplResult } from './use-mpl-result.js';

/** Metrics of a dataset, and a query over them as a chart. */
export function MetricsPage() {
  const [state, change] = useUrlState(metricsParams);
  const { q, from, to } = state;
  const range = useMemo(() => ({ from, to }), [from, to]);
  const preferences = usePreferences();
  const zone = state.tz !== '' && isZone(state.tz) ? state.tz : preferences.zone;
  const datasets = useMetricsDatasets();
  const parts = useMemo(() => readOutline(q), [q]);
  const dataset = (state.d === '' ? parts?.dataset.text : state.d) ?? datasets?.[0];
  const isKnown = dataset !== undefined && datasets?.includes(dataset) === true;
  const metrics = useMetrics(isKnown ? dataset : undefined, range);
  const result = useMplResult(q, range);
  const [text, setText] = useState(q);
  const [shown, setShown] = useState(q);
  // Another query in the address replaces the text.
  if (shown !== q) {
    setShown(q);
    setText(q);
  }
  const [timeOpen, setTimeOpen] = useState(false);
  const actions = useQueryActions(q, range);
  const onRange = (next: Range): void => change({ ...next, at: 0 });
  const run = (next = text): void => {
    if (next === q && next !== '') void result.refetch();
    else change({ q: next, at: 0 });
  };
  useCommands([
    { id: 'metrics.run', title: 'Run the query', group: 'Metrics', keys: ['mod+Enter'], run: () => run() },
    { id: 'metrics.time', title: 'Change the range', group: 'Metrics', keys: ['T'], run: () => setTimeOpen(true) },
    {
      id: 'metrics.find',
      title: 'Find a metric',
      group: 'Metrics',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('[role=search] input')?.focus(),
    },
    ...(q === ''
      ? []
      : [
          {
            id: 'metrics.board',
            title: 'Add to dashboard',
            group: 'Metrics',
            keys: ['B'],
            run: actions.addToDashboard,
          },
          {
            id: 'metrics.monitor',
            title: 'Create a monitor',
            group: 'Metrics',
            keys: ['M'],
            run: actions.createMonitor,
          },
          { id: 'metrics.promql', title: 'Copy as PromQL', group: 'Metrics', keys: ['P'], run: actions.copyPromql },
        ]),
    ...rangeCommands('Metrics', range, onRange),
  ]);
  return (
    <Page
      title="Metrics"
      scrolls={false}
      flow={result.error !== null ? 'failed' : result.isFetching || metrics.isFetching ? 'running' : 'idle'}
      bar={
        <>
          {datasets !== undefined && datasets.length > 0 && (
            <Menu
              label="Datasets of metrics"
              button={
                <Button small kind="quiet" className={styles.picker} label={`Dataset: ${dataset ?? 'none'}`}>
                  <Database aria-hidden />
                  <span className={styles.picked}>{dataset}</span>
                  <ChevronDown aria-hidden />
                </Button>
              }
              groups={[
                {
                  entries: datasets.map((name) => ({
                    id: name,
                    title: name,
                    run: () => change({ d: name, q: '', find: '', at: 0 }),
                  })),
                },
              ]}
            />
          )}
          <BarSpace />
          {text !== q && q !== '' && (
            <span className={styles.dirty} role="status">
              query changed
            </span>
          )}
          <TimeField
            range={range}
            zone={zone}
            open={timeOpen}
            onOpen={setTimeOpen}
            onRange={(next) => (next.from === from && next.to === to ? void result.refetch() : onRange(next))}
            onZone={(next) => {
              setPreferences({ zone: next });
              change({ tz: '' });
            }}
          />
          {q !== '' && (
            <>
              <Button onPress={actions.addToDashboard}>
                <LayoutDashboard aria-hidden /> Add to dashboard
              </Button>
              <QueryMenu q={q} range={range} actions={actions} onFormat={() => setText(formatQuery(text))} />
            </>
          )}
          <Button kind="primary" onPress={() => run()} disabled={text.trim() === ''}>
            <Play aria-hidden /> Run
          </Button>
        </>
      }
    >
      {datasets === undefined ? (
        <LoadingNotice />
      ) : !isKnown ? (
        <NoDataset dataset={dataset} datasets={datasets} onDataset={(d) => change({ d, q: '', at: 0 })} />
      ) : metrics.error !== null ? (
        <ErrorState title="Could not load metrics" error={metrics.error} onRetry={() => void metrics.refetch()} />
      ) : metrics.data === undefined ? (
        <LoadingNotice lines={10} />
      ) : metrics.data.length === 0 && q === '' ? (
        <NoMetrics dataset={dataset} range={range} zone={zone} onRange={onRange} />
      ) : (
        <div className={styles.columns}>
          <MetricList
            dataset={dataset}
            metrics={metrics.data}
            range={range}
            find={state.find}
            chosen={parts?.metric.text}
            onFind={(find) => change({ find })}
            onChoose={(metric) => run(starterQuery(dataset, metric))}
          />
          <section className={styles.query} aria-label="The query">
            {q === '' && text === '' ? (
              <EmptyState title="Choose a metric">
                Its query can be changed with a form or as MPL text. Counters are shown as rates.
              </EmptyState>
            ) : null}
            <MetricsQuery
              state={state}
              dataset={dataset}
              metrics={metrics.data}
              text={text}
              result={result}
              range={range}
              zone={zone}
              onText={setText}
              onRun={run}
              onRange={onRange}
              onChange={change}
            />
          </section>
        </div>
      )}
    </Page>
  );
}
