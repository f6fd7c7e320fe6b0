import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { countOf } from '../../data/format-units.js';
import { useCatalog } from '../../data/catalog.js';
import { useCommands } from '../../data/commands.js';
import { usePreferences } from '../../data/preferences.js';
import { zonedText } from '../../data/time/zones.js';
import { queryParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { spanDatasets } from '../../rows/trace-links.js';
import { type SpanNode, spanTime } from '../../waterfall/span-tree.js';
import { MAX_SPANS, spansOfTrace, useTrace } from '../../waterfall/use-trace.js';
import { Waterfall } from '../../waterfall/waterfall.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { SidePanel } from './side-panel.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import styles from './trace.module.css';
import { useFoundSpans } from './use-span-search.js';

/** Links from events contain the time of the trace; without it all time is searched. */
const params = {
  from: queryParam(textParam('1970-01-01T00:00:00Z')),
  to: queryParam(textParam('now+1d')),
  /** ID of the open span. */
  span: textParam(),
  tab: textParam('span'),
  q: textParam(),
};

/** A trace as a waterfall, with the open span and the logs. */
export function TracePage() {
  const { dataset = '', traceId = '' } = useParams({ strict: false }) as Readonly<Record<string, string>>;
  const [state, change] = useUrlState(params);
  const { zone } = usePreferences();
  const catalog = useCatalog();
  const navigate = useNavigate();
  const request = { dataset, traceId, from: state.from, to: state.to };
  const { data, error, refetch, isFetching } = useTrace(request);
  const [search, setSearch] = useState(state.q);
  useEffect(() => setSearch(state.q), [state.q]);
  const found = useFoundSpans(request, state.q, data);
  /** The trace of which the first failed span is closed. */
  const [closed, setClosed] = useState('');
  const selected = data?.nodes.find(({ span }) =>
    state.span === '' ? span.error && closed !== traceId : span.id === state.span,
  );
  const close = (): void => {
    setClosed(traceId);
    change({ span: '' });
  };
  const others = spanDatasets(catalog).filter((name) => name !== dataset);
  const hasSpans = catalog === undefined || spanDatasets(catalog).includes(dataset);
  useCommands([
    {
      id: 'trace.search',
      title: 'Find in the trace',
      group: 'Trace',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('[data-trace-search] input')?.focus(),
    },
    {
      id: 'trace.close',
      title: 'Close the span',
      group: 'Trace',
      keys: ['Escape'],
      onlyKeys: true,
      run: close,
    },
  ]);
  const root = data?.roots[0]?.span;
  return (
    <Page
      title="Trace"
      scrolls={false}
      flow={isFetching ? 'running' : error === null ? 'idle' : 'failed'}
      bar={
        <>
          <code className={styles.id}>{traceId}</code>
          <CopyButton text={traceId} label="Copy the trace id" />
          <BarSpace />
          <span data-trace-search className={styles.search}>
            <TextField
              label="Find in the trace"
              bare
              type="search"
              placeholder="Search spans"
              value={search}
              onChange={setSearch}
              onKeyDown={(event) => event.key === 'Enter' && change({ q: search.trim() })}
            />
          </span>
          {state.q !== '' && <span role="status">{found === undefined ? '…' : countOf(found.size, 'span')}</span>}
          <Button
            onPress={() =>
              void navigate({
                to: '/query' as string,
                search: { q: spansOfTrace(request), from: state.from, to: state.to } as never,
              })
            }
          >
            Open in Query
          </Button>
        </>
      }
    >
      {!hasSpans ? (
        <EmptyState
          title={`${dataset} has no spans`}
          actions={others.map((name) => (
            <Other key={name} name={name} traceId={traceId} />
          ))}
        >
          Traces require the fields trace_id, span_id and duration, as sent by OpenTelemetry.
        </EmptyState>
      ) : error !== null ? (
        <ErrorState title="Could not load the trace" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice lines={12} />
      ) : data.nodes.length === 0 ? (
        <EmptyState
          title="Trace not found"
          actions={
            <>
              {(state.from !== params.from.fallback || state.to !== params.to.fallback) && (
                <Button onPress={() => change({ from: params.from.fallback, to: params.to.fallback })}>
                  Search all time
                </Button>
              )}
              {others.map((name) => (
                <Other key={name} name={name} traceId={traceId} />
              ))}
            </>
          }
        >
          Dataset {dataset} has no spans with this ID in the link’s time range. They may be delayed or deleted.
        </EmptyState>
      ) : (
        <div className={styles.body}>
          <div className={styles.main}>
            <div className={styles.facts}>
              <strong>
                <UntrustedText text={root?.name ?? ''} />
              </strong>
              <span>{root?.service}</span>
              <span>{zonedText(data.began, zone, 3)}</span>
              <span>{spanTime(data.duration)}</span>
              <span>{countOf(data.nodes.length, 'span')}</span>
              <span>{countOf(data.services.length, 'service')}</span>
              {data.errors > 0 && <Chip tone="bad">{countOf(data.errors, 'error')}</Chip>}
              {data.isCut && <Chip tone="warn">only the first {MAX_SPANS.toLocaleString('en')} spans</Chip>}
            </div>
            <Waterfall
              trace={data}
              selected={selected?.key}
              onSelect={({ span }: SpanNode) => change({ span: span.id })}
              {...(found !== undefined && { dimmed: ({ span }: SpanNode) => !found.has(span.id) })}
            />
          </div>
          <SidePanel
            request={request}
            trace={data}
            node={selected}
            tab={state.tab}
            onTab={(tab) => change({ tab })}
            onClose={close}
          />
        </div>
      )}
    </Page>
  );
}

function Other({ name, traceId }: { readonly name: string; readonly traceId: string }) {
  const navigate = useNavigate();
  return (
    <Button
      onPress={() =>
        void navigate({ to: `/trace/${encodeURIComponent(name)}/${encodeURIComponent(traceId)}` as string })
      }
    >
      Look in {name}
    </Button>
  );
}
