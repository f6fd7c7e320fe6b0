import { bytesText, countText, shortAmount } from '../../data/format-units.js';
import { quantile, rate, type Scrape, total } from './prometheus-text.js';

type Verdict = 'good' | 'warn' | 'bad';

export interface Tile {
  readonly id: string;
  readonly title: string;
  readonly group: 'Ingest' | 'Queries' | 'Storage' | 'Process';
  /** Value between two scrapes, five seconds apart. */
  readonly value: (before: Scrape, now: Scrape) => number | undefined;
  readonly text: (value: number) => string;
  /** Health, from the values of the last minutes, latest last. */
  readonly verdict?: (values: readonly number[]) => Verdict;
  /** Advice when it is not good. */
  readonly advice?: string;
}

const latest = (name: string) => (_: Scrape, now: Scrape) => total(now, name);
/** A labeled counter is absent until its first count. */
const growth = (name: string) => (before: Scrape, now: Scrape) =>
  before === now ? undefined : (rate(before, now, name) ?? 0);
const perSecond = (value: number): string => `${shortAmount(value).trimEnd()}/s`;
const milliseconds = (seconds: number): string =>
  seconds < 1 ? `${shortAmount(seconds * 1000).trimEnd()} ms` : `${seconds.toPrecision(2)} s`;

const above =
  (warn: number, bad: number) =>
  (values: readonly number[]): Verdict => {
    const value = values.at(-1) ?? 0;
    return value >= bad ? 'bad' : value >= warn ? 'warn' : 'good';
  };

const none = above(Number.MIN_VALUE, Number.MIN_VALUE);
const GB = 1e9;
/** Scrapes without a decrease that rule out a peak. */
const GROWING = 24;

/** The main metrics, in page order. */
export const tiles: readonly Tile[] = [
  {
    id: 'events',
    title: 'Events',
    group: 'Ingest',
    value: growth('millrace_ingest_events_total'),
    text: perSecond,
  },
  {
    id: 'bytes',
    title: 'Bytes',
    group: 'Ingest',
    value: growth('millrace_ingest_bytes_total'),
    text: (value) => `${bytesText(value)}/s`,
  },
  {
    id: 'failed',
    title: 'Rejected events',
    group: 'Ingest',
    value: growth('millrace_ingest_failed_events_total'),
    text: perSecond,
    verdict: above(Number.MIN_VALUE, Number.POSITIVE_INFINITY),
    advice: 'Clients are sending invalid events. Ingest responses list them; the server log names the senders.',
  },
  {
    id: 'refusals',
    title: 'Rejected requests',
    group: 'Ingest',
    value: growth('millrace_http_refusals_total'),
    text: perSecond,
    verdict: above(Number.MIN_VALUE, Number.POSITIVE_INFINITY),
    advice: 'See the audit log for each rejection, its reason and client.',
  },
  {
    id: 'queries',
    title: 'Queries',
    group: 'Queries',
    value: growth('millrace_queries_total'),
    text: perSecond,
  },
  {
    id: 'query-p95',
    title: 'Query latency p95',
    group: 'Queries',
    value: (before, now) => quantile(before, now, 'millrace_query_seconds', 0.95),
    text: (seconds) => (seconds === Number.POSITIVE_INFINITY ? '> 10 s' : `≤ ${milliseconds(seconds)}`),
    verdict: above(5, 30),
    advice:
      'Some queries read a lot of data. Narrow the time range or filter earlier; the estimate next to Run shows the cost.',
  },
  {
    id: 'running',
    title: 'Running queries',
    group: 'Queries',
    value: latest('millrace_queries_running'),
    text: countText,
  },
  {
    id: 'rows-read',
    title: 'Rows read',
    group: 'Queries',
    value: growth('millrace_query_rows_read_total'),
    text: perSecond,
  },
  {
    id: 'fsync',
    title: 'Last fsync duration',
    group: 'Storage',
    value: latest('millrace_log_fsync_seconds'),
    text: milliseconds,
    verdict: above(0.1, 1),
    advice: 'The log disk is slow, which delays every ingest request. Check for other I/O on it.',
  },
  {
    id: 'pending',
    title: 'Ingest backlog',
    group: 'Storage',
    value: latest('millrace_flush_pending_bytes'),
    text: bytesText,
    verdict: (values) => {
      const recent = values.slice(-GROWING);
      const grows = recent.length === GROWING && recent.every((value, at) => at === 0 || value >= recent[at - 1]!);
      return grows && recent.at(-1)! > recent[0]! ? 'bad' : 'good';
    },
    advice: 'The engine is falling behind. Events are safe in the log; if the backlog grows, ingest returns 429.',
  },
  { id: 'log', title: 'Write-ahead log', group: 'Storage', value: latest('millrace_log_bytes'), text: bytesText },
  {
    id: 'disk',
    title: 'Free disk',
    group: 'Storage',
    value: latest('millrace_disk_free_bytes'),
    text: bytesText,
    verdict: (values) => {
      const free = values.at(-1) ?? Number.POSITIVE_INFINITY;
      return free < GB ? 'bad' : free < 10 * GB ? 'warn' : 'good';
    },
    advice: 'When the disk is full, ingest stops; stored events are safe. Reduce retention or trim a large dataset.',
  },
  {
    id: 'refused-batches',
    title: 'Quarantined batches',
    group: 'Storage',
    value: latest('millrace_refused_batches'),
    text: countText,
    verdict: none,
    advice:
      'The engine rejected these batches. They are kept and retried at startup. Report the error from the server log.',
  },
  {
    id: 'missing',
    title: 'Missing events',
    group: 'Storage',
    value: latest('millrace_missing_events'),
    text: countText,
    verdict: none,
    advice: 'Run "millrace verify" for details. Put missing files back or restore a backup.',
  },
  {
    id: 'loop',
    title: 'Event loop lag',
    group: 'Process',
    value: latest('millrace_event_loop_lag_seconds'),
    text: milliseconds,
    verdict: above(0.5, 2),
    advice: 'The event loop was blocked, usually because the CPU is saturated.',
  },
  {
    id: 'memory',
    title: 'Server memory',
    group: 'Process',
    value: latest('millrace_process_memory_bytes'),
    text: bytesText,
  },
  {
    id: 'engine-memory',
    title: 'Engine memory',
    group: 'Process',
    value: latest('millrace_engine_memory_bytes'),
    text: bytesText,
  },
  {
    id: 'restarts',
    title: 'Engine restarts',
    group: 'Process',
    value: latest('millrace_engine_restarts'),
    text: countText,
    verdict: above(1, Number.POSITIVE_INFINITY),
    advice: 'The engine exited and was restarted. No acknowledged events were lost; see the server log.',
  },
];

/** Values of a tile over the scrapes; undefined where unavailable. */
export const valuesOf = (tile: Tile, scrapes: readonly Scrape[]): readonly (number | undefined)[] =>
  scrapes.map((scrape, index) => tile.value(scrapes[Math.max(0, index - 1)]!, scrape));
