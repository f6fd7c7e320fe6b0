import { outline as readOutline } from '@millrace/mpl/editor';
import { useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { timeText } from '../../charts/time-labels.js';
import { datasetText, fieldText, stringText } from '../../data/apl-text.js';
import { useCatalog } from '../../data/catalog.js';
import { useMetricTags, useTagValues } from '../../data/metrics/metrics-api.js';
import { isMetricsDataset } from '../../data/metrics/metrics-dataset.js';
import { instantText, MILLISECOND } from '../../data/time/instants.js';
import { type Range, rangeTitle } from '../../data/time/ranges.js';
import { spanDatasets } from '../../rows/trace-links.js';
import { serviceFields } from '../../waterfall/span-names.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import type { metricSeries, Tags } from './metric-series.js';
import styles from './metrics.module.css';

/** Tags that name a service, best first. */
const serviceTags = ['service.name', 'service_name', 'service', 'job'];
const MAX_SERVICES = 8;

/** Links to logs and traces of the services of the series, at the selected time. */
export function RelatedEvents({
  dataset,
  metric,
  mpl,
  drawn,
  at,
  range,
  zone,
  onAt,
}: {
  readonly dataset: string;
  readonly metric: string | undefined;
  readonly mpl: string;
  readonly drawn: ReturnType<typeof metricSeries>;
  /** Selected time, milliseconds since the epoch; 0 for the whole range. */
  readonly at: number;
  readonly range: Range;
  readonly zone: string;
  readonly onAt: (at: number) => void;
}) {
  const navigate = useNavigate();
  const { times, step = 60_000 } = drawn.data;
  const services = useServices(dataset, metric, mpl, [...drawn.tags.values()], range);
  const places = useEventDatasets();
  const index = times.indexOf(at);
  const shown: Range =
    at === 0
      ? range
      : { from: instantText(BigInt(at) * MILLISECOND), to: instantText(BigInt(at + step) * MILLISECOND) };
  const toLogs = (service: string): void => {
    const [place] = places.logs;
    if (place === undefined) return;
    const q = `${datasetText(place.name)}\n| where ${fieldText(place.field)} == ${stringText(service)}`;
    void navigate({ to: '/query' as string, search: { q, ...shown } as never });
  };
  const toTraces = (service: string): void => {
    const [d] = places.traces;
    void navigate({ to: '/traces' as string, search: { d, service, ...shown } as never });
  };
  const move = (by: 1 | -1): void => {
    const next = index < 0 ? (by === 1 ? 0 : times.length - 1) : index + by;
    const time = times[next];
    if (time !== undefined) onAt(time);
  };
  return (
    <section className={styles.related} aria-label="Logs and traces">
      <div className={styles.tools}>
        <h2>Logs and traces</h2>
        <span role="status" className={styles.note}>
          {at === 0 ? `${rangeTitle(range, zone)}; click the chart to choose a time` : `at ${timeText(at, zone)}`}
        </span>
        <IconButton label="Previous time" onPress={() => move(-1)}>
          <ChevronLeft />
        </IconButton>
        <IconButton label="Next time" onPress={() => move(1)}>
          <ChevronRight />
        </IconButton>
        {at !== 0 && (
          <Button small kind="quiet" onPress={() => onAt(0)}>
            Whole range
          </Button>
        )}
      </div>
      {services.length === 0 ? (
        <p className={styles.note}>The metric has no tag that names a service: {serviceTags.join(', ')}.</p>
      ) : (
        <ul className={styles.services}>
          {services.map((service) => (
            <li key={service}>
              <UntrustedText text={service} />
              <Button
                small
                onPress={() => toLogs(service)}
                unavailable={places.logs.length === 0 ? 'No dataset of logs has a field for the service' : undefined}
                label={`Logs of ${service}`}
              >
                Logs
              </Button>
              <Button
                small
                onPress={() => toTraces(service)}
                unavailable={places.traces.length === 0 ? 'No dataset has spans' : undefined}
                label={`Traces of ${service}`}
              >
                Traces
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Datasets of events: with spans, and others with a field for the service. */
function useEventDatasets() {
  const catalog = useCatalog();
  return useMemo(() => {
    const traces = spanDatasets(catalog);
    const logs = (catalog?.datasets ?? [])
      .filter((each) => !isMetricsDataset(each) && !traces.includes(each.name))
      .flatMap(({ name, fields, fieldRoles }) => {
        const field = serviceFields(fieldRoles?.service).find((each) => fields.some(({ name }) => name === each));
        return field === undefined ? [] : [{ name, field }];
      });
    return { traces, logs };
  }, [catalog]);
}

/** Services of the series; those of the metric if the query has dropped the tag. */
function useServices(
  dataset: string,
  metric: string | undefined,
  mpl: string,
  series: readonly Tags[],
  range: Range,
): readonly string[] {
  const own = servicesIn(series);
  const catalogued = own.length === 0 && metric !== undefined;
  const filtered = useMemo(() => filteredService(mpl), [mpl]);
  const isAsked = catalogued && filtered === undefined;
  const tags = useMetricTags(isAsked ? dataset : undefined, metric, range).data ?? [];
  const tag = serviceTags.find((name) => tags.includes(name));
  const asked = isAsked && tag !== undefined ? { dataset, metric, tag } : undefined;
  const values = useTagValues(asked, range).data ?? [];
  if (own.length > 0) return own;
  if (filtered !== undefined) return [filtered];
  return values.filter((value) => typeof value === 'string').slice(0, MAX_SERVICES);
}

function servicesIn(series: readonly Tags[]): readonly string[] {
  const tag = serviceTags.find((name) => series.some((tags) => typeof tags[name] === 'string'));
  if (tag === undefined) return [];
  const names = series.map((tags) => tags[tag]).filter((name) => typeof name === 'string');
  return [...new Set(names)].slice(0, MAX_SERVICES);
}

/** The service that the query selects: `where service.name == "x"`. */
function filteredService(mpl: string): string | undefined {
  const filter = readOutline(mpl)?.filters.find(({ tag }) => tag !== undefined && serviceTags.includes(tag));
  const written = filter && mpl.slice(filter.span.start, filter.span.end);
  const value = /==\s*("(?:\\.|[^"\\])*")$/.exec(written ?? '')?.[1];
  if (value === undefined) return undefined;
  try {
    return String(JSON.parse(value));
  } catch {
    // An escape that JSON lacks.
    return undefined;
  }
}
