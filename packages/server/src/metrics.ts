import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Every figure of `/metrics`, once. Parts of the server count and observe by these names;
 * docs/metrics.md is written from the table.
 */

interface MetricRecord {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const metricTable = {
  http_requests_total: { type: 'counter', help: 'Requests answered.', labels: ['route', 'status'] },
  http_request_seconds: {
    type: 'histogram',
    help: 'From the first byte of a request to the end of its answer.',
    labels: ['route'],
    buckets: seconds,
  },
  http_refusals_total: {
    type: 'counter',
    help: 'Requests refused, or whose answer the server broke off, by error code.',
    labels: ['code'],
  },
  ingest_events_total: { type: 'counter', help: 'Events stored.', labels: [] },
  ingest_failed_events_total: { type: 'counter', help: 'Events refused one by one.', labels: [] },
  ingest_bytes_total: { type: 'counter', help: 'Bytes of events after decompression.', labels: [] },
  protocol_events_total: {
    type: 'counter',
    help: 'Events that came in the protocol of another product, which often cannot say which of them failed.',
    labels: ['protocol', 'outcome'],
  },
  syslog_dropped_total: {
    type: 'counter',
    help: 'Datagrams of syslog dropped because too many waited or their sender is not allowed; those that the kernel drops are not seen.',
    labels: [],
  },
  socket_connections_refused_total: {
    type: 'counter',
    help: 'Connections of syslog and the forward protocol that were closed because all places were taken or their sender is not allowed.',
    labels: [],
  },
  log_bytes: { type: 'gauge', help: 'Size of the write-ahead log.', labels: [] },
  log_fsync_seconds: { type: 'gauge', help: 'Duration of the last fsync of the log.', labels: [] },
  disk_free_bytes: {
    type: 'gauge',
    help: 'Free space of the disk that holds the data directory, as far as the server may use it.',
    labels: [],
  },
  flush_pending_bytes: { type: 'gauge', help: 'Bytes acknowledged and not yet in the engine.', labels: [] },
  nodes_live: { type: 'gauge', help: 'Processes that share the events, this one included.', labels: [] },
  shards_ready: { type: 'gauge', help: 'Shards that take events and answer; of one engine 1 or 0.', labels: [] },
  node_on_duty: {
    type: 'gauge',
    help: '1 where this process runs monitors, retention and merges for all.',
    labels: [],
  },
  inserts_under_way: {
    type: 'gauge',
    help: 'Inserts of this process that others who follow the order of arrival wait for; several nodes only.',
    labels: [],
  },
  inserts_given_up_total: {
    type: 'counter',
    help: 'Inserts of other processes, which died or hang, that this one gave up; several nodes only.',
    labels: [],
  },
  refused_batches: {
    type: 'gauge',
    help: 'Acknowledged batches that the engine does not take; they are kept and tried again at each start.',
    labels: [],
  },
  missing_events: {
    type: 'gauge',
    help: 'Events that were stored and are not there any more, though nobody deleted them; `millrace verify` says which.',
    labels: [],
  },
  flushes_total: { type: 'counter', help: 'Blocks given to the engine.', labels: ['outcome'] },
  flush_seconds: { type: 'histogram', help: 'Duration of giving a block to the engine.', labels: [], buckets: seconds },
  merges_total: { type: 'counter', help: 'Partitions merged when it was quiet.', labels: ['outcome'] },
  merge_seconds: { type: 'histogram', help: 'Duration of such a merge.', labels: [], buckets: seconds },
  cold_bytes: { type: 'gauge', help: 'Bytes of events in the bucket.', labels: [] },
  cold_moves_total: {
    type: 'counter',
    help: 'Days, months or years of a dataset that were moved to the bucket, or failed to.',
    labels: ['outcome'],
  },
  settled: {
    type: 'gauge',
    help: '1 once all events are in the engine and merged as far as they will be soon.',
    labels: [],
  },
  queries_total: { type: 'counter', help: 'Queries run.', labels: ['outcome'] },
  query_seconds: { type: 'histogram', help: 'Duration of queries.', labels: [], buckets: seconds },
  queries_running: { type: 'gauge', help: 'Queries waiting or running.', labels: [] },
  query_rows_read_total: {
    type: 'counter',
    help: 'Rows that the engine read for queries, also to count what matches; without exports.',
    labels: [],
  },
  monitor_runs_total: { type: 'counter', help: 'Runs of monitors, by what they found.', labels: ['outcome'] },
  monitor_run_seconds: { type: 'histogram', help: 'Duration of such a run.', labels: [], buckets: seconds },
  monitor_lag_seconds: { type: 'gauge', help: 'How long the monitor that waits longest is overdue.', labels: [] },
  notifications_total: {
    type: 'counter',
    help: 'Attempts to deliver notifications: `delivered`, `later` if it will be tried again, or `failed`.',
    labels: ['channel', 'outcome'],
  },
  engine_ready: { type: 'gauge', help: '1 while the engine takes queries.', labels: [] },
  engine_restarts: { type: 'gauge', help: 'Starts of the engine after the first.', labels: [] },
  engine_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the engine process; 0 if the engine is elsewhere.',
    labels: [],
  },
  lost_log_lines: {
    type: 'gauge',
    help: 'Lines that could not be written to the log on standard error since the start.',
    labels: [],
  },
  event_loop_lag_seconds: { type: 'gauge', help: 'Longest time a timer fired late since the last scrape.', labels: [] },
  process_memory_bytes: { type: 'gauge', help: 'Resident memory of the server process.', labels: [] },
  process_start_seconds: { type: 'gauge', help: 'When the server started, seconds since the epoch.', labels: [] },
} as const satisfies Record<string, MetricRecord>;

type Table = typeof metricTable;
type MetricName = keyof Table;
type NamesOf<Type extends MetricRecord['type']> = {
  [N in MetricName]: Table[N]['type'] extends Type ? N : never;
}[MetricName];
type LabelsOf<N extends MetricName> = Readonly<Record<Table[N]['labels'][number], string>>;
type LabelArguments<N extends MetricName> = Table[N]['labels'] extends readonly [] ? [] : [labels: LabelsOf<N>];

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

/**
 * Milliseconds between checks of the event loop's lag. Each check wakes the process; at 20 ms, they
 * were nearly half of its CPU at rest.
 */
const lagResolution = 100;

/** Counts what happens and prints it in the Prometheus text format. */
export class Metrics {
  readonly #counters = new Map<MetricName, Map<string, number>>();
  readonly #histograms = new Map<MetricName, Map<string, Histogram>>();
  readonly #gauges = new Map<MetricName, () => number>();
  readonly #delay = monitorEventLoopDelay({ resolution: lagResolution });

  constructor() {
    const started = Date.now() / 1000;
    this.#delay.enable();
    this.gauge('process_start_seconds', () => started);
    this.gauge('process_memory_bytes', () => process.memoryUsage.rss());
    this.gauge('event_loop_lag_seconds', () => {
      // Node records the time between two checks, not how late the second was.
      const lag = Math.max(0, this.#delay.max / 1e6 - lagResolution) / 1000;
      this.#delay.reset();
      return lag;
    });
  }

  /**
   * Adds to a counter: `count('ingest_events_total', 10)`,
   * `count('queries_total', 1, {outcome: 'ok'})`.
   */
  count<N extends NamesOf<'counter'>>(name: N, by: number, ...[labels]: LabelArguments<N>): void {
    const series = child(this.#counters, name, () => new Map<string, number>());
    const key = labelText(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  }

  /** Notes one duration in seconds. */
  observe<N extends NamesOf<'histogram'>>(name: N, value: number, ...[labels]: LabelArguments<N>): void {
    const { buckets } = metricTable[name];
    const series = child(this.#histograms, name, () => new Map<string, Histogram>());
    const histogram = child(series, labelText(labels), () => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }));
    const bucket = buckets.findIndex((bound) => value <= bound);
    if (bucket >= 0) histogram.counts[bucket]!++;
    histogram.sum += value;
    histogram.count++;
  }

  /** Says where the present value of a gauge is found; asked at each scrape. */
  gauge(name: NamesOf<'gauge'>, read: () => number): void {
    this.#gauges.set(name, read);
  }

  /** A counter's or gauge's present value; 0 if nothing was counted. */
  value<N extends NamesOf<'counter' | 'gauge'>>(name: N, ...[labels]: LabelArguments<N>): number {
    return this.#gauges.get(name)?.() ?? this.#counters.get(name)?.get(labelText(labels)) ?? 0;
  }

  /** All figures in the Prometheus text format. */
  print(): string {
    const lines: string[] = [];
    for (const [name, { type, help }] of Object.entries(metricTable) as [MetricName, MetricRecord][]) {
      lines.push(`# HELP millrace_${name} ${help}`, `# TYPE millrace_${name} ${type}`);
      for (const [labels, value] of this.#counters.get(name) ?? [])
        lines.push(`millrace_${name}${braced(labels)} ${value}`);
      for (const [labels, histogram] of this.#histograms.get(name) ?? [])
        lines.push(...histogramLines(name, labels, histogram));
      const gauge = this.#gauges.get(name);
      if (gauge !== undefined) lines.push(`millrace_${name} ${gauge()}`);
    }
    return `${lines.join('\n')}\n`;
  }

  /** Stops what was started to measure. */
  close(): void {
    this.#delay.disable();
  }
}

function histogramLines(name: MetricName, labels: string, { counts, sum, count }: Histogram): readonly string[] {
  const { buckets = [] }: MetricRecord = metricTable[name];
  const prefix = labels === '' ? '' : `${labels},`;
  let below = 0;
  return [
    ...buckets.map((bound, i) => `millrace_${name}_bucket{${prefix}le="${bound}"} ${(below += counts[i]!)}`),
    `millrace_${name}_bucket{${prefix}le="+Inf"} ${count}`,
    `millrace_${name}_sum${braced(labels)} ${sum}`,
    `millrace_${name}_count${braced(labels)} ${count}`,
  ];
}

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

function labelText(labels: Readonly<Record<string, string>> | undefined): string {
  let text = '';
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escaped(labels[name]!)}"`;
  return text;
}

const special = /[\\"\n]/;

const escaped = (value: string): string =>
  special.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;

function child<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
