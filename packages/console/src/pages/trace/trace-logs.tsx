import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { datasetText, stringText } from '../../data/apl-text.js';
import { textOf } from '../../data/results/cells.js';
import { useCatalog } from '../../data/catalog.js';
import { runQuery } from '../../data/run-query.js';
import { usePreferences } from '../../data/preferences.js';
import { instantText, MINUTE } from '../../data/time/instants.js';
import { useFieldRoles } from '../../rows/field-roles.js';
import { levelField, messageField } from '../../rows/known-fields.js';
import { LogRow } from '../../rows/log-row.js';
import { rowSource } from '../../rows/row-source.js';
import { spanDatasets } from '../../rows/trace-links.js';
import type { Span } from '../../waterfall/span-tree.js';
import type { LoadedTrace, useTrace } from '../../waterfall/use-trace.js';
import { Button } from '../../widgets/inputs/button.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import styles from './trace.module.css';

const MAX_LINES = 200;
/** Maximum datasets searched. */
const MAX_DATASETS = 6;
/** A log line may be written some time after its span. */
const AFTER = 5n * MINUTE;

/** Logs of the trace, or of the open span if it has any. */
export function TraceLogs({
  request,
  trace,
  span,
}: {
  readonly request: Parameters<typeof useTrace>[0];
  readonly trace: LoadedTrace;
  readonly span: Span | undefined;
}) {
  const catalog = useCatalog();
  const spans = spanDatasets(catalog);
  const places = (catalog?.datasets ?? [])
    .filter(({ name, fields }) => !spans.includes(name) && fields.some((each) => each.name === 'trace_id'))
    .slice(0, MAX_DATASETS);
  if (places.length === 0) return <EmptyState title="No logs">No other dataset has a trace_id field.</EmptyState>;
  return (
    <>
      {places.map(({ name, fields }) => (
        <Logs
          key={name}
          dataset={name}
          traceId={request.traceId}
          trace={trace}
          span={fields.some((each) => each.name === 'span_id') ? span : undefined}
        />
      ))}
    </>
  );
}

function Logs({
  dataset,
  traceId,
  trace,
  span,
}: {
  readonly dataset: string;
  readonly traceId: string;
  readonly trace: LoadedTrace;
  readonly span: Span | undefined;
}) {
  const { zone } = usePreferences();
  const navigate = useNavigate();
  const apl = [
    datasetText(dataset),
    `| where trace_id == ${stringText(traceId)}`,
    ...(span === undefined ? [] : [`| where span_id == ${stringText(span.id)}`]),
  ].join('\n');
  const range = {
    from: instantText(trace.began - AFTER),
    to: instantText(trace.began + BigInt(Math.ceil(trace.duration)) + AFTER),
  };
  const roles = useFieldRoles(dataset);
  const { data, error, refetch } = useQuery({
    queryKey: ['trace', 'logs', apl, range],
    queryFn: async ({ signal }) =>
      rowSource([await runQuery({ apl, ...range, rows: MAX_LINES, order: 'oldest' }, 'aside', signal)]),
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null) return <ErrorState title="Could not load logs" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={2} />;
  const layout = { message: messageField(data.fields, roles), level: levelField(data.fields, roles), chosen: [] };
  return (
    <section className={styles.logs} aria-label={`Logs in ${dataset}`}>
      <h2 className={styles.facts}>
        <span>
          {data.rows} {data.rows === 1 ? 'line' : 'lines'} in {dataset}
          {span !== undefined && ' of this span'}
        </span>
        <Button small onPress={() => void navigate({ to: '/query' as string, search: { q: apl, ...range } as never })}>
          Open in Query
        </Button>
      </h2>
      <div role="table" aria-label={`Lines in ${dataset}`}>
        {Array.from({ length: data.rows }, (_, row) => (
          <div
            key={data.cursor(row) ?? row}
            role="row"
            className={styles.logLine}
            title={textOf(data.cell(row, '_time'))}
          >
            <LogRow source={data} row={row} layout={layout} zone={zone} wrap role="cell" />
          </div>
        ))}
      </div>
    </section>
  );
}
