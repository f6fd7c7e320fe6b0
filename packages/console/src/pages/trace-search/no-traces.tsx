import { useNavigate } from '@tanstack/react-router';
import { useDatasetInfo } from '../../data/dataset-info.js';
import { HOUR, instantText, MINUTE, nowInstant, parseInstant } from '../../data/time/instants.js';
import { boundsOf, type Range, rangeTitle } from '../../data/time/ranges.js';
import { zonedText } from '../../data/time/zones.js';
import { Button } from '../../widgets/inputs/button.js';
import { EmptyState } from '../../widgets/states.js';
import { isFiltered, noFilter, type SpanFilter } from './span-query.js';

/** Shown if no dataset, or not this one, has spans. */
export function NoSpans({
  dataset,
  places,
  onDataset,
}: {
  readonly dataset: string;
  readonly places: readonly string[];
  readonly onDataset: (dataset: string) => void;
}) {
  const navigate = useNavigate();
  return (
    <EmptyState
      title={dataset === '' ? 'No spans yet' : `${dataset} has no spans`}
      actions={
        places.length > 0 ? (
          places.map((name) => (
            <Button key={name} onPress={() => onDataset(name)}>
              Look in {name}
            </Button>
          ))
        ) : (
          <Button onPress={() => void navigate({ to: '/datasets' as string })}>Set up ingest</Button>
        )
      }
    >
      Send spans with an OpenTelemetry SDK or the Collector; the <em>Ingest</em> tab of a dataset has the settings.
      Spans are events with the fields <code>trace_id</code>, <code>span_id</code> and <code>duration</code>.
    </EmptyState>
  );
}

/** Range around the newest event. */
const AROUND = HOUR;

/** No matches: the reason, and what to do. */
export function NoTraces({
  dataset,
  state,
  zone,
  onChange,
}: {
  readonly dataset: string;
  readonly state: SpanFilter & Range;
  readonly zone: string;
  readonly onChange: (change: Partial<SpanFilter & Range>) => void;
}) {
  const newest = parseInstant(useDatasetInfo(dataset).data?.maxTime ?? '');
  const bounds = boundsOf(state, nowInstant());
  const isOutside = newest !== undefined && bounds !== undefined && (newest < bounds.start || newest > bounds.end);
  return (
    <EmptyState
      title={isFiltered(state) ? 'No matching traces' : 'No traces in this range'}
      actions={
        <>
          {isFiltered(state) && <Button onPress={() => onChange(noFilter)}>Look for any</Button>}
          {isOutside && (
            <Button onPress={() => onChange({ from: instantText(newest - AROUND), to: instantText(newest + MINUTE) })}>
              Jump to the newest
            </Button>
          )}
          <Button onPress={() => onChange({ from: 'now-7d', to: 'now' })}>Last 7 days</Button>
        </>
      }
    >
      {rangeTitle(state, zone)} in {dataset}
      {newest !== undefined && <>, whose newest event is of {zonedText(newest, zone, 0)}</>}.
    </EmptyState>
  );
}
