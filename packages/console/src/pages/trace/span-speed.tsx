import { useQuery } from '@tanstack/react-query';
import { datasetText, fieldText, stringText } from '../../data/apl-text.js';
import { columnOf } from '../../data/results/results.js';
import { textOf } from '../../data/results/cells.js';
import { countOf } from '../../data/format-units.js';
import { useCatalog } from '../../data/catalog.js';
import { runQuery } from '../../data/run-query.js';
import { instantText, MINUTE } from '../../data/time/instants.js';
import { serviceFields } from '../../waterfall/span-names.js';
import { type Span, spanTime } from '../../waterfall/span-tree.js';
import type { LoadedTrace, useTrace } from '../../waterfall/use-trace.js';
import { Chip } from '../../widgets/chip.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import styles from './trace.module.css';

/** Time before and after, for spans of the same name. */
const AROUND = 30n * MINUTE;
const BARS = 24;

/** Durations of spans with the same name at about the time, with this one marked. */
export function SpanSpeed({
  request,
  trace,
  span,
}: {
  readonly request: Parameters<typeof useTrace>[0];
  readonly trace: LoadedTrace;
  readonly span: Span;
}) {
  const dataset = useCatalog()?.datasets.find(({ name }) => name === request.dataset);
  const service = serviceFields(dataset?.fieldRoles?.service).find((name) =>
    dataset?.fields.some((each) => each.name === name),
  );
  const { data, error, refetch } = useQuery({
    queryKey: ['trace', 'speed', request.dataset, span.name, span.service, span.duration, String(trace.began)],
    queryFn: async ({ signal }) => {
      const range = { from: instantText(trace.began - AROUND), to: instantText(trace.began + AROUND) };
      const same = [
        `| where name == ${stringText(span.name)}`,
        ...(service === undefined ? [] : [`| where ${fieldText(service)} == ${stringText(span.service)}`]),
      ].join('\n');
      const spans = `${datasetText(request.dataset)}\n${same}\n| where isnotnull(duration)`;
      const slower = `countif(duration < ${Math.round(span.duration)})`;
      const apl = `${spans}\n| summarize all = count(), faster = ${slower}, p = percentiles_array(duration, 0, 50, 95, 99, 100)`;
      const sums = await runQuery({ apl, ...range }, 'aside', signal);
      const [all, faster] = sums.table.columns.map((column) => Number(textOf(column[0] ?? null)));
      const p = JSON.parse(textOf(sums.table.columns[2]?.[0] ?? '[]')) as readonly number[];
      const max = p[3] ?? 0;
      const step = Math.max(1, Math.ceil(max / BARS));
      const counted = await runQuery(
        { apl: `${spans}\n| summarize n = count() by at = bin(duration, ${step})`, ...range },
        'aside',
        signal,
      );
      const column = (name: string) => columnOf(counted, name);
      const bars = Array.from({ length: BARS }, () => 0);
      for (const [row, at] of column('at').entries()) {
        const index = Math.min(BARS - 1, Math.floor(Number(at) / step));
        bars[index] = (bars[index] ?? 0) + Number(column('n')[row] ?? 0);
      }
      return { all: all ?? 0, faster: faster ?? 0, p, bars, step };
    },
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null) return <ErrorState title="Could not load latency" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  const { all, faster, p, bars, step } = data;
  const rank = all === 0 ? 0 : (100 * faster) / all;
  const max = Math.max(1, ...bars);
  const here = Math.min(BARS - 1, Math.floor(span.duration / step));
  return (
    <div className={styles.speed}>
      <p className={styles.facts}>
        {rank >= 95 ? <Chip tone="warn">slow</Chip> : rank <= 25 ? <Chip tone="good">fast</Chip> : <Chip>typical</Chip>}
        <span>
          Slower than {rank.toFixed(rank > 99 ? 1 : 0)}% of {countOf(all, 'span')} with this name within 30 minutes.
        </span>
      </p>
      <figure
        className={styles.bars}
        aria-label={`Durations of ${all} spans, half of them up to ${spanTime(p[1] ?? 0)}; this one ${spanTime(span.duration)}`}
      >
        {bars.map((count, index) => (
          <span
            key={index}
            className={index === here ? styles.here : undefined}
            title={`${spanTime(index * step)} and more: ${count}`}
            style={{ height: `${count === 0 ? 0 : Math.max(3, (100 * count) / max)}%` }}
          />
        ))}
      </figure>
      <DescriptionList
        facts={[
          ['This span', spanTime(span.duration)],
          ['Shortest', spanTime(p[0] ?? 0)],
          ['Median', spanTime(p[1] ?? 0)],
          ['95 %', spanTime(p[2] ?? 0)],
          ['99 %', spanTime(p[3] ?? 0)],
          ['Longest', spanTime(p[4] ?? 0)],
        ]}
      />
    </div>
  );
}
