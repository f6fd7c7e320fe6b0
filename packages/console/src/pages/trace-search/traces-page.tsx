import { useNavigate } from '@tanstack/react-router';
import { useCommands } from '../../data/commands.js';
import { timeCondition } from '../../data/time/time-condition.js';
import { rangeOf } from '../../data/time/ranges.js';
import { useUrlState } from '../../data/use-url-state.js';
import { useTraceLinks } from '../../rows/trace-links.js';
import { Button } from '../../widgets/inputs/button.js';
import { Page } from '../../widgets/page.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { DurationPicture } from './duration-chart.js';
import { Filters } from './filters.js';
import { NoSpans, NoTraces } from './no-traces.js';
import { PlaceBar } from './scope-bar.js';
import { noFilter, type SpanFilter, spansText } from './span-query.js';
import { TraceTable } from './trace-table.js';
import styles from './traces.module.css';
import { SHOWN, tracesParams } from './traces-params.js';
import { useFoundTraces } from './use-trace-search.js';
import { useOperations } from './use-operations.js';
import { useSpanPlace } from './use-span-scope.js';

/** Search for traces by service, operation, duration, outcome and attributes. */
export function TracesPage() {
  const [state, change] = useUrlState(tracesParams);
  const place = useSpanPlace(state);
  const { dataset = '', names, places, isKnown, zone } = place;
  const navigate = useNavigate();
  const links = useTraceLinks(dataset);
  const range = { from: state.from, to: state.to };
  const hasSpans = places.includes(dataset);
  const operations = useOperations(dataset, names, range, hasSpans);
  const spans = spansText(dataset, names, state);
  const found = useFoundTraces(dataset, { spans, names, order: state.order, max: state.max, enabled: hasSpans }, range);
  const askFor = (next: Partial<SpanFilter>): void => change({ ...next, max: SHOWN });
  const toQuery = (search: Readonly<Record<string, string>>): void =>
    void navigate({ to: '/query' as string, search: { ...range, ...search } as never });
  const toServices = (): void => {
    const { d, from, to, service } = state;
    const search = {
      ...(d !== '' && { d }),
      ...(from !== 'now-1h' && { from }),
      ...(to !== 'now' && { to }),
      ...(service !== '' && { service }),
    };
    void navigate({ to: '/services' as string, search: search as never });
  };
  useCommands([
    {
      id: 'traces.attribute',
      title: 'Look for an attribute',
      group: 'Traces',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('[role=search] input[placeholder^=attributes]')?.focus(),
    },
  ]);
  return (
    <Page
      title="Traces"
      flow={found.error !== null ? 'failed' : found.isFetching ? 'running' : 'idle'}
      bar={
        <PlaceBar
          place={place}
          page="Traces"
          range={range}
          onOther={toServices}
          onDataset={(d) => change({ ...noFilter, d })}
          onRange={(next) => change({ ...next, max: SHOWN })}
          onZone={() => change({ tz: '' })}
        />
      }
    >
      {!isKnown ? (
        <LoadingNotice />
      ) : !hasSpans ? (
        <NoSpans dataset={state.d} places={places} onDataset={(d) => change({ d })} />
      ) : (
        <>
          <Filters filter={state} operations={operations.data ?? []} hasKinds={names.hasKinds} onChange={askFor} />
          <DurationPicture
            spans={spans}
            range={range}
            zone={zone}
            onOnly={({ bounds, took }) => change({ ...rangeOf(bounds), took, max: SHOWN })}
            onCompare={({ bounds, condition }) =>
              toQuery({ q: spans, v: 'spotlight', sel: `${timeCondition(bounds)} and ${condition}` })
            }
          />
          {found.error !== null ? (
            <ErrorState title="Could not load traces" error={found.error} onRetry={() => void found.refetch()} />
          ) : found.data === undefined ? (
            <LoadingNotice lines={10} />
          ) : found.data.traces.length === 0 ? (
            <NoTraces dataset={dataset} state={state} zone={zone} onChange={change} />
          ) : (
            <div className={found.isPlaceholderData ? styles.old : undefined}>
              <TraceTable
                traces={found.data.traces}
                order={state.order}
                zone={zone}
                onOrder={(order) => change({ order })}
                onOpen={({ id, began }) => links?.open({ traceId: id, time: began })}
              />
              <p className={styles.foot}>
                {found.data.isCut ? (
                  <>
                    The {found.data.traces.length} {state.order} matching traces; more exist.
                    <Button small onPress={() => change({ max: state.max + SHOWN })}>
                      {SHOWN} more
                    </Button>
                  </>
                ) : (
                  `${found.data.traces.length === 1 ? 'One trace' : `${found.data.traces.length} traces`} found`
                )}
                <Button small kind="quiet" onPress={() => toQuery({ q: spans })}>
                  Open spans in Query
                </Button>
              </p>
            </div>
          )}
        </>
      )}
    </Page>
  );
}
