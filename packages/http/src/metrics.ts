import { EventLoopLag } from './event-loop-lag.js';

/**
 * Every figure of `/metrics`, once. Parts of the server count and observe by these names;
 * docs/server-metrics.md is written from the table.
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
  http_requests_total: { type: 'counter', help: 'HTTP requests responded to.', labels: ['route', 'status'] },
  http_request_seconds: {
    type: 'histogram',
    help: 'Time from the first byte of a request to the end of its response.',
    labels: ['route'],
    buckets: seconds,
  },
  http_refusals_total: {
    type: 'counter',
    help: 'Requests rejected or aborted, by error code.',
    labels: ['code'],
  },
  ingest_events_total: { type: 'counter', help: 'Events stored.', labels: [] },
  ingest_failed_events_total: { type: 'counter', help: 'Events rejected individually.', labels: [] },
  ingest_bytes_total: { type: 'counter', help: 'Bytes of events after decompression.', labels: [] },
  protocol_events_total: {
    type: 'counter',
    help: 'Events received in protocols of other products. Many of these cannot report individual failures.',
    labels: ['protocol', 'outcome'],
  },
  datagrams_dropped_total: {
    type: 'counter',
    help: "Syslog and GELF datagrams dropped because the queue was full, the host is not allowed, or chunks were missing; the kernel's drops are not counted.",
    labels: [],
  },
  socket_connections_refused_total: {
    type: 'counter',
    help: 'Syslog, forward, GELF and OTLP/gRPC connections closed at the connection limit or because the host is not allowed.',
    labels: [],
  },
  source_events_total: {
    type: 'counter',
    help: 'Events that sources have read, by kind of source.',
    labels: ['kind', 'outcome'],
  },
  sources_running: { type: 'gauge', help: 'Sources that this node runs.', labels: [] },
  sources_failing: { type: 'gauge', help: 'Sources whose last attempt to read or store failed.', labels: [] },
  source_lag: { type: 'gauge', help: 'Messages and objects that sources of this node are still to read.', labels: [] },
  log_bytes: { type: 'gauge', help: 'Size of the write-ahead log.', labels: [] },
  log_fsync_seconds: { type: 'gauge', help: 'Duration of the last fsync of the write-ahead log.', labels: [] },
  disk_free_bytes: {
    type: 'gauge',
    help: 'Free space for the server on the disk of the data directory.',
    labels: [],
  },
  flush_pending_bytes: { type: 'gauge', help: 'Bytes acknowledged and not yet flushed to the engine.', labels: [] },
  nodes_live: { type: 'gauge', help: 'Nodes with a current heartbeat, including this one.', labels: [] },
  shards_ready: { type: 'gauge', help: 'Shards that are available; 1 or 0 for a single engine.', labels: [] },
  node_is_leader: {
    type: 'gauge',
    help: '1 if this node runs monitors, retention and merges.',
    labels: [],
  },
  inserts_in_flight: {
    type: 'gauge',
    help: 'In-flight inserts of this node that hold back the watermark; several nodes only.',
    labels: [],
  },
  inserts_fenced_total: {
    type: 'counter',
    help: 'Stale inserts of other nodes fenced by this node; several nodes only.',
    labels: [],
  },
  refused_batches: {
    type: 'gauge',
    help: 'Acknowledged batches in quarantine because the engine rejects them; they are stored and retried at each start.',
    labels: [],
  },
  missing_events: {
    type: 'gauge',
    help: 'Stored events that are missing although they were not deleted; `millrace verify` lists them.',
    labels: [],
  },
  flushes_total: { type: 'counter', help: 'Flushes to the engine, by outcome.', labels: ['outcome'] },
  flush_seconds: { type: 'histogram', help: 'Duration of a flush.', labels: [], buckets: seconds },
  merges_total: { type: 'counter', help: 'Idle-partition merges, by outcome.', labels: ['outcome'] },
  merge_seconds: { type: 'histogram', help: 'Duration of an idle-partition merge.', labels: [], buckets: seconds },
  cold_bytes: { type: 'gauge', help: 'Bytes of events in object storage.', labels: [] },
  cold_moves_total: {
    type: 'counter',
    help: 'Partitions moved to object storage, by outcome.',
    labels: ['outcome'],
  },
  settled: {
    type: 'gauge',
    help: '1 when no flush or merge is pending.',
    labels: [],
  },
  queries_total: { type: 'counter', help: 'Queries run, by outcome.', labels: ['outcome'] },
  query_seconds: { type: 'histogram', help: 'Duration of queries.', labels: [], buckets: seconds },
  queries_running: { type: 'gauge', help: 'Queries queued or running.', labels: [] },
  query_rows_read_total: {
    type: 'counter',
    help: 'Rows read for queries, including match counts, excluding exports.',
    labels: [],
  },
  monitor_runs_total: { type: 'counter', help: 'Monitor runs, by result.', labels: ['outcome'] },
  monitor_run_seconds: { type: 'histogram', help: 'Duration of a monitor run.', labels: [], buckets: seconds },
  monitor_lag_seconds: { type: 'gauge', help: 'Delay of the most overdue monitor.', labels: [] },
  notifications_total: {
    type: 'counter',
    help: 'Delivery attempts: `delivered`, `later` (will be retried) or `failed`.',
    labels: ['channel', 'outcome'],
  },
  engine_ready: { type: 'gauge', help: '1 if the engine accepts queries.', labels: [] },
  engine_restarts: { type: 'gauge', help: 'Engine restarts since the server started.', labels: [] },
  engine_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the engine process; 0 for a remote engine.',
    labels: [],
  },
  lost_log_lines: {
    type: 'gauge',
    help: 'Log lines dropped because standard error could not be written.',
    labels: [],
  },
  event_loop_lag_seconds: {
    type: 'gauge',
    help: 'Maximum timer delay in the last minute; measured only while scrapes are at most five minutes apart.',
    labels: [],
  },
  process_memory_bytes: { type: 'gauge', help: 'Resident memory of the server process.', labels: [] },
  process_start_seconds: { type: 'gauge', help: 'Start time of the server in seconds since the epoch.', labels: [] },
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

type Labels = Readonly<Record<string, string>>;

interface Series<Value> {
  readonly labels: Labels;
  value: Value;
}

/** The current values of a metric. */
export interface MetricValues extends MetricRecord {
  /** With the prefix of the server. */
  readonly name: string;
  /** Counts of a histogram are per bucket. */
  readonly series: readonly Readonly<Series<number | Readonly<Histogram>>>[];
}

/** Metrics of the server, in the Prometheus text format. */
export class Metrics {
  readonly #counters = new Map<MetricName, Map<string, Series<number>>>();
  readonly #histograms = new Map<MetricName, Map<string, Series<Histogram>>>();
  readonly #gauges = new Map<MetricName, () => number>();
  readonly #lag = new EventLoopLag();

  constructor() {
    const started = Date.now() / 1000;
    this.gauge('process_start_seconds', () => started);
    this.gauge('process_memory_bytes', () => process.memoryUsage.rss());
    this.gauge('event_loop_lag_seconds', () => this.#lag.read());
  }

  /**
   * Adds to a counter: `count('ingest_events_total', 10)`,
   * `count('queries_total', 1, {outcome: 'ok'})`.
   */
  count<N extends NamesOf<'counter'>>(name: N, by: number, ...[labels]: LabelArguments<N>): void {
    const series = child(this.#counters, name, () => new Map<string, Series<number>>());
    child(series, labelText(labels), () => ({ labels: { ...labels }, value: 0 })).value += by;
  }

  /** Records one duration in seconds. */
  observe<N extends NamesOf<'histogram'>>(name: N, value: number, ...[labels]: LabelArguments<N>): void {
    const { buckets } = metricTable[name];
    const series = child(this.#histograms, name, () => new Map<string, Series<Histogram>>());
    const { value: histogram } = child(series, labelText(labels), () => ({
      labels: { ...labels },
      value: { counts: buckets.map(() => 0), sum: 0, count: 0 },
    }));
    const bucket = buckets.findIndex((bound) => value <= bound);
    if (bucket >= 0) histogram.counts[bucket]!++;
    histogram.sum += value;
    histogram.count++;
  }

  /** Registers the function that reads the current value of a gauge; called on each scrape. */
  gauge(name: NamesOf<'gauge'>, read: () => number): void {
    this.#gauges.set(name, read);
  }

  /** The current value of a counter or gauge; 0 if there is none. */
  value<N extends NamesOf<'counter' | 'gauge'>>(name: N, ...[labels]: LabelArguments<N>): number {
    return this.#gauges.get(name)?.() ?? this.#counters.get(name)?.get(labelText(labels))?.value ?? 0;
  }

  /** The current values of all metrics. */
  read(): readonly MetricValues[] {
    return (Object.entries(metricTable) as [MetricName, MetricRecord][]).map(([name, record]) => {
      const gauge = this.#gauges.get(name);
      return {
        ...record,
        name: `millrace_${name}`,
        series: [
          ...(this.#counters.get(name)?.values() ?? []),
          ...(this.#histograms.get(name)?.values() ?? []),
          ...(gauge === undefined ? [] : [{ labels: {}, value: gauge() }]),
        ],
      };
    });
  }

  /** All metrics in the Prometheus text format. */
  print(): string {
    const lines: string[] = [];
    for (const { name, type, help, buckets = [], series } of this.read()) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const { labels, value } of series) {
        const text = labelText(labels);
        if (typeof value === 'number') lines.push(`${name}${formatLabels(text)} ${value}`);
        else lines.push(...histogramLines(name, buckets, text, value));
      }
    }
    return `${lines.join('\n')}\n`;
  }

  /** Stops the measurement of event loop delay. */
  close(): void {
    this.#lag.close();
  }
}

function histogramLines(
  name: string,
  buckets: readonly number[],
  labels: string,
  { counts, sum, count }: Readonly<Histogram>,
): readonly string[] {
  const prefix = labels === '' ? '' : `${labels},`;
  let below = 0;
  return [
    ...buckets.map((bound, i) => `${name}_bucket{${prefix}le="${bound}"} ${(below += counts[i]!)}`),
    `${name}_bucket{${prefix}le="+Inf"} ${count}`,
    `${name}_sum${formatLabels(labels)} ${sum}`,
    `${name}_count${formatLabels(labels)} ${count}`,
  ];
}

const formatLabels = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

function labelText(labels: Labels | undefined): string {
  let text = '';
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escapeLabel(labels[name]!)}"`;
  return text;
}

const special = /[\\"\n]/;

const escapeLabel = (value: string): string =>
  special.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;

function child<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
