import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useCommands } from '../../data/commands.js';
import { countOf } from '../../data/format-units.js';
import { nowInstant, SECOND } from '../../data/time/instants.js';
import { boundsOf } from '../../data/time/ranges.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { Page } from '../../widgets/page.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { MeasuredTable } from './red-table.js';
import { NoSpans, NoTraces } from './no-traces.js';
import { PlaceBar } from './scope-bar.js';
import { noFilter } from './span-query.js';
import styles from './traces.module.css';
import { servicesParams, tracesParams } from './traces-params.js';
import { useRedMetrics, useTrends } from './use-services.js';
import { useSpanPlace } from './use-span-scope.js';
import { changedSearch } from '../../data/url-params.js';

/** All services with rate, errors and duration; for one service, its operations. */
export function ServicesPage() {
  const [state, change] = useUrlState(servicesParams);
  const place = useSpanPlace(state);
  const { dataset = '', names, places, isKnown, zone } = place;
  const navigate = useNavigate();
  const range = { from: state.from, to: state.to };
  const hasSpans = places.includes(dataset);
  const request = { dataset, names, service: undefined };
  const services = useRedMetrics(request, range, hasSpans);
  const trends = useTrends(request, range, hasSpans);
  const find = useRef<HTMLInputElement>(null);
  const bounds = boundsOf(range, nowInstant());
  const seconds = bounds === undefined ? 0 : Number((bounds.end - bounds.start) / SECOND);
  const shown = (services.data ?? []).filter(({ name }) => name.toLowerCase().includes(state.qs.toLowerCase()));
  const toTraces = (filter: { readonly service?: string; readonly name?: string; readonly only?: 'failed' }): void => {
    const { d, from, to, tz } = state;
    void navigate({
      to: '/traces' as string,
      search: changedSearch(tracesParams, {}, { d, from, to, tz, ...filter }) as never,
    });
  };
  useCommands([
    { id: 'services.find', title: 'Find a service', group: 'Traces', keys: ['/'], run: () => find.current?.focus() },
  ]);
  return (
    <Page
      title="Services"
      flow={services.error !== null ? 'failed' : services.isFetching ? 'running' : 'idle'}
      bar={
        <PlaceBar
          place={place}
          page="Services"
          range={range}
          onOther={() => toTraces({})}
          onDataset={(d) => change({ d, service: '' })}
          onRange={change}
          onZone={() => change({ tz: '' })}
        />
      }
    >
      {!isKnown ? (
        <LoadingNotice />
      ) : !hasSpans ? (
        <NoSpans dataset={state.d} places={places} onDataset={(d) => change({ d })} />
      ) : services.error !== null ? (
        <ErrorState title="Could not load services" error={services.error} onRetry={() => void services.refetch()} />
      ) : services.data === undefined ? (
        <LoadingNotice />
      ) : services.data.length === 0 ? (
        <NoTraces dataset={dataset} state={{ ...noFilter, ...range }} zone={zone} onChange={change} />
      ) : (
        <div className={services.isPlaceholderData ? styles.old : undefined}>
          <div className={styles.tools}>
            <TextField
              ref={find}
              label="Find a service"
              bare
              type="search"
              placeholder={`Find in ${countOf(services.data.length, 'service')}`}
              value={state.qs}
              onChange={(qs) => change({ qs })}
              className={styles.find}
            />
            <span className={styles.hint}>Requests are root spans and spans of kind server or consumer.</span>
          </div>
          <MeasuredTable
            label="Services"
            title="Service"
            items={shown}
            trends={trends.data}
            seconds={seconds}
            sort={state.sort}
            onSort={(sort) => change({ sort })}
            onOpen={(service) => change({ service: service === state.service ? '' : service })}
          />
          {state.service !== '' && (
            <Operations
              key={state.service}
              dataset={dataset}
              names={names}
              service={state.service}
              range={range}
              seconds={seconds}
              sort={state.sortOperations}
              onSort={(sortOperations) => change({ sortOperations })}
              onClose={() => change({ service: '' })}
              onTraces={(filter) => toTraces({ service: state.service, ...filter })}
            />
          )}
        </div>
      )}
    </Page>
  );
}

/** One service, with a link to its traces. */
function Operations({
  dataset,
  names,
  service,
  range,
  seconds,
  sort,
  onSort,
  onClose,
  onTraces,
}: {
  readonly dataset: string;
  readonly names: Parameters<typeof useRedMetrics>[0]['names'];
  readonly service: string;
  readonly range: Parameters<typeof useRedMetrics>[1];
  readonly seconds: number;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onClose: () => void;
  readonly onTraces: (filter: { readonly name?: string; readonly only?: 'failed' }) => void;
}) {
  const request = { dataset, names, service };
  const operations = useRedMetrics(request, range, true);
  const trends = useTrends(request, range, true);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [operations.data]);
  return (
    <section ref={section} aria-label={`Operations of ${service}`} className={styles.operations}>
      <header className={styles.tools}>
        <h2>{service}</h2>
        <Button small onPress={() => onTraces({})}>
          Traces
        </Button>
        <Button small onPress={() => onTraces({ only: 'failed' })}>
          Failed traces
        </Button>
        <span className={styles.space} />
        <Button small kind="quiet" onPress={onClose}>
          Close
        </Button>
      </header>
      {operations.error !== null ? (
        <ErrorState
          title="Could not load operations"
          error={operations.error}
          onRetry={() => void operations.refetch()}
        />
      ) : operations.data === undefined ? (
        <LoadingNotice lines={3} />
      ) : (
        <MeasuredTable
          label={`Operations of ${service}`}
          title="Operation"
          items={operations.data}
          trends={trends.data}
          seconds={seconds}
          sort={sort}
          onSort={onSort}
          onOpen={(name) => onTraces({ name })}
        />
      )}
    </section>
  );
}
