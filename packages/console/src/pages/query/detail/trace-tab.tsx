import { instantText, HOUR } from '../../../data/time/instants.js';
import { useCatalog } from '../../../data/catalog.js';
import { spanDatasets, type traceOf, useTraceLinks } from '../../../rows/trace-links.js';
import { useTrace } from '../../../waterfall/use-trace.js';
import { Waterfall } from '../../../waterfall/waterfall.js';
import { Button } from '../../../widgets/inputs/button.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from './detail.module.css';

/** Preview of the row's trace; its own page has the details. */
export function TraceTab({
  trace,
  dataset,
}: {
  readonly trace: NonNullable<ReturnType<typeof traceOf>>;
  readonly dataset: string;
}) {
  const places = spanDatasets(useCatalog());
  const place = places.includes(dataset) ? dataset : (places[0] ?? dataset);
  const links = useTraceLinks(dataset);
  const [from, to] =
    trace.time === undefined ? ['now-24h', 'now'] : [instantText(trace.time - HOUR), instantText(trace.time + HOUR)];
  const { data, error, refetch } = useTrace({ dataset: place, traceId: trace.traceId, from, to });
  const open = (
    <Button small onPress={() => links?.open(trace)}>
      Open the trace <kbd aria-hidden>t</kbd>
    </Button>
  );
  if (places.length === 0)
    return <EmptyState title="No trace datasets">Traces require the fields trace_id, span_id and duration.</EmptyState>;
  if (error !== null) return <ErrorState title="Could not load trace" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  if (data.nodes.length === 0)
    return (
      <EmptyState title="No spans" actions={open}>
        Dataset {place} has no spans of this trace within 1 hour of the event.
      </EmptyState>
    );
  return (
    <div className={styles.trace}>
      <div className={styles.chips}>{open}</div>
      <Waterfall trace={data} selected={undefined} onSelect={() => links?.open(trace)} small />
    </div>
  );
}
