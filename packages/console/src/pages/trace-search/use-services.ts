import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { columnOf } from '../../data/results/results.js';
import { textOf } from '../../data/results/cells.js';
import { runQuery } from '../../data/run-query.js';
import { durationText, nowInstant, parseInstant } from '../../data/time/instants.js';
import { boundsOf, type Range, stepFor } from '../../data/time/ranges.js';
import type { SpanNames } from '../../waterfall/span-names.js';
import { noFilter, spansText } from './span-query.js';

/** Metrics of a service or operation. */
export interface RedMetrics {
  readonly name: string;
  readonly spans: number;
  readonly requests: number;
  readonly failed: number;
  /** Request duration in nanoseconds; undefined without requests. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
}

/** Requests and errors per time step. */
export interface Trend {
  readonly requests: readonly number[];
  readonly failed: readonly number[];
}

/** Maximum number; the most frequent ones. */
const MAX = 500;
const PLACES = 60;

interface ServicesRequest {
  readonly dataset: string;
  readonly names: SpanNames;
  /** For one service: its operations; otherwise the services. */
  readonly service: string | undefined;
}

/** The measured spans: requests to services, or all spans of one service. */
const subject = ({ dataset, names, service }: ServicesRequest) =>
  service === undefined
    ? { spans: spansText(dataset, names), by: names.service, counted: names.request }
    : { spans: spansText(dataset, names, { ...noFilter, service }), by: 'name', counted: 'true' };

/** All services of a range, or all operations of a service, busiest first. */
export const useRedMetrics = (request: ServicesRequest, { from, to }: Range, enabled: boolean) =>
  useQuery({
    queryKey: ['traces', 'measured', request, from, to],
    queryFn: async ({ signal }): Promise<readonly RedMetrics[]> => {
      const { spans, by, counted } = subject(request);
      const { failed } = request.names;
      const apl = `${spans}
| summarize spans = count(), requests = countif(${counted}), failed = countif((${counted}) and (${failed})),
  p = percentiles_arrayif(duration, dynamic([50, 95, 99]), ${counted}) by subject = ${by}
| top ${MAX} by requests desc`;
      const answer = await runQuery({ apl, from, to }, 'rows', signal);
      const column = (name: string) => columnOf(answer, name);
      const [counts, requests, failures, times] = [column('spans'), column('requests'), column('failed'), column('p')];
      return column('subject').map((name, row) => {
        const [p50, p95, p99] = JSON.parse(textOf(times[row] ?? null) || '[]') as readonly (number | null)[];
        return {
          name: textOf(name),
          spans: Number(counts[row]),
          requests: Number(requests[row]),
          failed: Number(failures[row]),
          p50: p50 ?? undefined,
          p95: p95 ?? undefined,
          p99: p99 ?? undefined,
        };
      });
    },
    enabled,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });

/** Their requests over the range. */
export const useTrends = (request: ServicesRequest, range: Range, enabled: boolean) =>
  useQuery({
    queryKey: ['traces', 'trends', request, range.from, range.to],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Trend>> => {
      const bounds = boundsOf(range, nowInstant());
      if (bounds === undefined) return new Map();
      const step = stepFor(bounds, PLACES);
      const { spans, by, counted } = subject(request);
      const apl = `${spans}
| where ${counted}
| summarize requests = count(), failed = countif(${request.names.failed}) by subject = ${by}, at = bin(_time, ${durationText(step)})`;
      const answer = await runQuery({ apl, from: range.from, to: range.to }, 'aside', signal);
      const column = (name: string) => columnOf(answer, name);
      const [subjects, requests, failed] = [column('subject'), column('requests'), column('failed')];
      const start = parseInstant(answer.table.head.range.start) ?? 0n;
      const end = parseInstant(answer.table.head.range.end) ?? 0n;
      const first = start - (start % step);
      const places = Math.max(1, Number((end - first + step - 1n) / step));
      const found = new Map<string, { requests: number[]; failed: number[] }>();
      for (const [row, cell] of column('at').entries()) {
        const place = Number(((parseInstant(textOf(cell)) ?? first) - first) / step);
        if (place < 0 || place >= places) continue;
        const name = textOf(subjects[row] ?? null);
        const zeros = (): number[] => Array.from({ length: places }, () => 0);
        const trend = found.get(name) ?? { requests: zeros(), failed: zeros() };
        found.set(name, trend);
        trend.requests[place]! += Number(requests[row]);
        trend.failed[place]! += Number(failed[row]);
      }
      return found;
    },
    enabled,
    staleTime: Infinity,
    retry: false,
  });
