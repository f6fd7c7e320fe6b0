import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type HeatAction, HeatGrid, type HeatPart } from '../../charts/heat-grid.js';
import { countText } from '../../data/format-units.js';
import { runQuery } from '../../data/run-query.js';
import { durationText, MILLISECOND, nowInstant } from '../../data/time/instants.js';
import { boundsOf, type Bounds, type Range, stepFor } from '../../data/time/ranges.js';
import { heatOfDurations, heatQuery } from './duration-heat.js';
import styles from './traces.module.css';

const MAX_COLUMNS = 90;

/** A selected area: a time range and a range of durations. */
interface DurationPart {
  readonly bounds: Bounds;
  readonly took: string;
  /** As a condition on spans. */
  readonly condition: string;
}

/** Span durations over time. An area can be isolated or compared with the rest. */
export function DurationPicture({
  spans,
  range,
  zone,
  onOnly,
  onCompare,
}: {
  readonly spans: string;
  readonly range: Range;
  readonly zone: string;
  readonly onOnly: (part: DurationPart) => void;
  readonly onCompare: (part: DurationPart) => void;
}) {
  const { from, to } = range;
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['traces', 'durations', spans, from, to],
    queryFn: async ({ signal }) => {
      const bounds = boundsOf(range, nowInstant());
      if (bounds === undefined) return null;
      const step = stepFor(bounds, MAX_COLUMNS);
      const answer = await runQuery({ apl: heatQuery(spans, step), from, to }, 'chart', signal);
      return { heat: heatOfDurations(answer, step), step };
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
  const heat = data?.heat;
  if (data === undefined || data === null || heat === undefined) return <div className={styles.picture} />;
  const partOf = ({ columns, rows }: HeatPart): DurationPart => {
    const at = (column: number): bigint => BigInt(Math.round(heat.times[column]!)) * MILLISECOND;
    const bounds = { start: at(columns[0]), end: at(columns[1]) + data.step - 1n };
    const [min, max] = [heat.bounds![rows[0]]![0], heat.bounds![rows[1]]![1]].map(BigInt) as [bigint, bigint];
    const took = `${durationText(min)}..${durationText(max)}`;
    return { bounds, took, condition: `duration >= ${durationText(min)} and duration < ${durationText(max)}` };
  };
  const action = (id: string, title: string, key: string, what: (part: DurationPart) => void): HeatAction => ({
    id,
    title,
    key,
    run: (part) => what(partOf(part)),
  });
  return (
    <div className={isPlaceholderData ? `${styles.picture} ${styles.old}` : styles.picture}>
      <HeatGrid
        data={heat}
        label="Span durations"
        zone={zone}
        format={(count) => (Number.isInteger(count) ? `${countText(count)} ${count === 1 ? 'span' : 'spans'}` : '')}
        actions={[action('only', 'Show only', 'o', onOnly), action('compare', 'Compare this', 'x', onCompare)]}
      />
    </div>
  );
}
