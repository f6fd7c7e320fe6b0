import { bytesText, countText, shortAmount } from '../../data/amounts.js';
import { quantile, rate, type Scrape, total } from './prometheus-text.js';

type Verdict = 'good' | 'warn' | 'bad';

export interface Tile {
  readonly id: string;
  readonly title: string;
  readonly group: 'Coming in' | 'Asked' | 'Kept' | 'The process';
  /** Its value between two scrapes, five seconds apart. */
  readonly value: (before: Scrape, now: Scrape) => number | undefined;
  readonly text: (value: number) => string;
  /** How it is, of the values of the last minutes, the latest last. */
  readonly verdict?: (values: readonly number[]) => Verdict;
  /** What to do when it is not good. */
  readonly advice?: string;
}

const latest = (name: string) => (_: Scrape, now: Scrape) => total(now, name);
/** A counter with labels is not there before it first counts. */
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
/** So many scrapes without a fall are no peak. */
const GROWING = 24;

/** Every figure that a person looks at first, in the order in which the page shows it. */
export const tiles: readonly Tile[] = [
  {
    id: 'events',
    title: 'Events',
    group: 'Coming in',
    value: growth('millrace_ingest_events_total'),
    text: perSecond,
  },
  {
    id: 'bytes',
    title: 'Bytes',
    group: 'Coming in',
    value: growth('millrace_ingest_bytes_total'),
    text: (value) => `${bytesText(value)}/s`,
  },
  {
    id: 'failed',
    title: 'Refused events',
    group: 'Coming in',
    value: growth('millrace_ingest_failed_events_total'),
    text: perSecond,
    verdict: above(Number.MIN_VALUE, Number.POSITIVE_INFINITY),
    advice: 'Somebody sends events that are none. Their answers say which and why; the log of the server says who.',
  },
  {
    id: 'refusals',
    title: 'Refused requests',
    group: 'Coming in',
    value: growth('millrace_http_refusals_total'),
    text: perSecond,
    verdict: above(Number.MIN_VALUE, Number.POSITIVE_INFINITY),
    advice: 'The audit log has each refusal, with its reason and who asked.',
  },
  {
    id: 'queries',
    title: 'Queries',
    group: 'Asked',
    value: growth('millrace_queries_total'),
    text: perSecond,
  },
  {
    id: 'query-p95',
    title: 'Query, 95 %',
    group: 'Asked',
    value: (before, now) => quantile(before, now, 'millrace_query_seconds', 0.95),
    text: (seconds) => (seconds === Number.POSITIVE_INFINITY ? '> 10 s' : `≤ ${milliseconds(seconds)}`),
    verdict: above(5, 30),
    advice: 'Queries below read much. Narrow their range or filter earlier; the cost beside Run tells before.',
  },
  {
    id: 'running',
    title: 'Running queries',
    group: 'Asked',
    value: latest('millrace_queries_running'),
    text: countText,
  },
  {
    id: 'rows-read',
    title: 'Rows read',
    group: 'Asked',
    value: growth('millrace_query_rows_read_total'),
    text: perSecond,
  },
  {
    id: 'fsync',
    title: 'Last fsync',
    group: 'Kept',
    value: latest('millrace_log_fsync_seconds'),
    text: milliseconds,
    verdict: above(0.1, 1),
    advice: 'The disk of the log is slow to confirm; every sender waits for it. Something else may be writing there.',
  },
  {
    id: 'pending',
    title: 'Waiting for the engine',
    group: 'Kept',
    value: latest('millrace_flush_pending_bytes'),
    text: bytesText,
    verdict: (values) => {
      const recent = values.slice(-GROWING);
      const grows = recent.length === GROWING && recent.every((value, at) => at === 0 || value >= recent[at - 1]!);
      return grows && recent.at(-1)! > recent[0]! ? 'bad' : 'good';
    },
    advice: 'Events are safe in the log, but the engine does not keep up. If this goes on, senders are told to wait.',
  },
  { id: 'log', title: 'Write-ahead log', group: 'Kept', value: latest('millrace_log_bytes'), text: bytesText },
  {
    id: 'disk',
    title: 'Free disk',
    group: 'Kept',
    value: latest('millrace_disk_free_bytes'),
    text: bytesText,
    verdict: (values) => {
      const free = values.at(-1) ?? Number.POSITIVE_INFINITY;
      return free < GB ? 'bad' : free < 10 * GB ? 'warn' : 'good';
    },
    advice:
      'When it is full no events are taken, and nothing is lost. Shorten the retention of a large dataset, or trim it.',
  },
  {
    id: 'refused-batches',
    title: 'Refused batches',
    group: 'Kept',
    value: latest('millrace_refused_batches'),
    text: countText,
    verdict: none,
    advice:
      'The engine does not take them. They are kept; report the detail in the log, and start a version that mends it.',
  },
  {
    id: 'missing',
    title: 'Missing events',
    group: 'Kept',
    value: latest('millrace_missing_events'),
    text: countText,
    verdict: none,
    advice: '“millrace verify” lists them. If the files come from a copy, put them back; else restore a backup.',
  },
  {
    id: 'loop',
    title: 'Longest delay',
    group: 'The process',
    value: latest('millrace_event_loop_lag_seconds'),
    text: milliseconds,
    verdict: above(0.5, 2),
    advice: 'Something held up the server for so long. Usually the machine is short of processor time.',
  },
  {
    id: 'memory',
    title: 'Memory of the server',
    group: 'The process',
    value: latest('millrace_process_memory_bytes'),
    text: bytesText,
  },
  {
    id: 'engine-memory',
    title: 'Memory of the engine',
    group: 'The process',
    value: latest('millrace_engine_memory_bytes'),
    text: bytesText,
  },
  {
    id: 'restarts',
    title: 'Restarts of the engine',
    group: 'The process',
    value: latest('millrace_engine_restarts'),
    text: countText,
    verdict: above(1, Number.POSITIVE_INFINITY),
    advice: 'The engine ended and was started again; nothing acknowledged is lost. The log says why.',
  },
];

/** The values of a tile over the scrapes; undefined where there was nothing to say. */
export const valuesOf = (tile: Tile, scrapes: readonly Scrape[]): readonly (number | undefined)[] =>
  scrapes.map((scrape, index) => tile.value(scrapes[Math.max(0, index - 1)]!, scrape));
