import { useQuery } from '@tanstack/react-query';
import { stringText } from '../../data/apl-text.js';
import { textOf } from '../../data/results/cells.js';
import { runQuery } from '../../data/run-query.js';
import { usePreferences } from '../../data/preferences.js';
import { FieldList } from '../../rows/field-list.js';
import { type RowSource, rowSource } from '../../rows/row-source.js';
import { LinkTraces, useTraceLinks } from '../../rows/trace-links.js';
import { type Span, spanTime } from '../../waterfall/span-tree.js';
import { spansOfTrace, type useTrace } from '../../waterfall/use-trace.js';
import { Chip } from '../../widgets/chip.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import styles from './trace.module.css';

/** All fields of one span. */
export function SpanFields({
  request,
  span,
}: {
  readonly request: Parameters<typeof useTrace>[0];
  readonly span: Span;
}) {
  const { zone } = usePreferences();
  const links = useTraceLinks(request.dataset);
  const { data, error, refetch } = useQuery({
    queryKey: ['trace', 'span', request, span.id],
    queryFn: async ({ signal }) => {
      const apl = `${spansOfTrace(request)}\n| where span_id == ${stringText(span.id)}`;
      return rowSource([await runQuery({ apl, from: request.from, to: request.to, rows: 1 }, 'rows', signal)]);
    },
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null)
    return <ErrorState title="The span cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  return (
    <LinkTraces links={links}>
      <p className={styles.facts}>
        <strong>
          <UntrustedText text={span.name} />
        </strong>
        <span>{span.service}</span>
        {span.kind !== '' && <span>{span.kind}</span>}
        <span>
          {spanTime(span.duration)}, {spanTime(span.start)} after trace start
        </span>
        {span.error && <Chip tone="bad">{textOf(data.cell(0, 'status.message')) || 'failed'}</Chip>}
      </p>
      <SpanEvents source={data} />
      <FieldList source={data} row={0} zone={zone} />
    </LinkTraces>
  );
}

interface SpanEvent {
  readonly name?: string;
  readonly timestamp?: string;
  readonly attributes?: unknown;
}

/** Span events, such as an exception. */
function SpanEvents({ source }: { readonly source: RowSource }) {
  const cell = source.cell(0, 'events');
  if (typeof cell !== 'object' || cell?.kind !== 'json') return null;
  const parsed: unknown = JSON.parse(cell.text);
  if (!Array.isArray(parsed)) return null;
  return (
    <ol className={styles.events} aria-label="Events of the span">
      {(parsed as readonly SpanEvent[]).slice(0, 50).map(({ name, timestamp, attributes }, index) => (
        <li key={index}>
          <strong>{name ?? 'event'}</strong> <span className={styles.quiet}>{timestamp}</span>
          {attributes !== undefined && <code>{JSON.stringify(attributes)}</code>}
        </li>
      ))}
    </ol>
  );
}
