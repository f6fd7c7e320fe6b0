import type { AnswerOf } from '@millrace/client';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api.js';
import { type Catalog, useCatalog } from '../catalog.js';
import { enqueueRequest, type RequestPriority } from '../request-queue.js';
import { type RequestedRange, requestedRange } from '../results/requested-range.js';
import type { Range } from '../time/ranges.js';
import { isMetricsDataset } from './metrics-dataset.js';

/** Metrics over HTTP: lists, and queries in MPL. */

/** Names of the datasets of metrics; undefined until known. */
export function useMetricsDatasets(): readonly string[] | undefined {
  const catalog = useCatalog();
  return useMemo(() => catalog && metricsDatasets(catalog), [catalog]);
}

const metricsDatasets = ({ datasets }: Catalog): readonly string[] =>
  datasets.filter(isMetricsDataset).map(({ name }) => name);

export interface Metric {
  readonly name: string;
  readonly type: string | null;
  readonly temporality: string | null;
  readonly unit: string | null;
}

const withTypes = 'application/vnd.metrics-info.v2+json';

const metricsOptions = (dataset: string | undefined, { from, to }: Range) =>
  queryOptions({
    queryKey: ['metrics', dataset, from, to],
    queryFn: ({ signal }) =>
      enqueueRequest('rows', signal, async (): Promise<readonly Metric[]> => {
        const found = await api.call('listMetrics', {
          params: { dataset: dataset! },
          query: { start: from, end: to },
          headers: { accept: withTypes },
          signal,
        });
        return Object.entries(found as Readonly<Record<string, Omit<Metric, 'name'>>>).map(([name, info]) => ({
          name,
          ...info,
        }));
      }),
    enabled: dataset !== undefined,
  });

/** The metrics of a dataset in a time range, by name. */
export const useMetrics = (dataset: string | undefined, range: Range) => useQuery(metricsOptions(dataset, range));

/** The datasets that have a metric, as they become known. */
export function useDatasetsWith(metric: string, datasets: readonly string[], range: Range): readonly string[] {
  const answers = useQueries({ queries: datasets.map((dataset) => metricsOptions(dataset, range)) });
  return datasets.filter((_, index) => answers[index]?.data?.some(({ name }) => name === metric));
}

/** Tags of a metric in a time range. */
export const useMetricTags = (dataset: string | undefined, metric: string | undefined, { from, to }: Range) =>
  useQuery({
    queryKey: ['metric-tags', dataset, metric, from, to],
    queryFn: ({ signal }) =>
      enqueueRequest('chart', signal, () =>
        api.call('listMetricTags', {
          params: { dataset: dataset!, metric: metric! },
          query: { start: from, end: to },
          signal,
        }),
      ),
    enabled: dataset !== undefined && metric !== undefined,
    retry: false,
  });

interface Tag {
  readonly dataset: string;
  readonly metric: string;
  readonly tag: string;
}

/** Values of a tag, with their types. */
export const tagValues = ({ dataset, metric, tag }: Tag, { from, to }: Range, signal?: AbortSignal) =>
  enqueueRequest('chart', signal, () =>
    api.call('listMetricTagValues', {
      params: { dataset, metric, tag },
      query: { start: from, end: to },
      ...(signal && { signal }),
    }),
  );

export const useTagValues = (asked: Tag | undefined, range: Range) =>
  useQuery({
    queryKey: ['tag-values', asked, range.from, range.to],
    queryFn: ({ signal }) => tagValues(asked!, range, signal),
    enabled: asked !== undefined,
    retry: false,
  });

export type MetricsResult = Exclude<AnswerOf<'queryMpl'>, readonly unknown[]>;

export interface MplAnswer {
  readonly result: MetricsResult;
  /** Requested range; windows may extend beyond it. */
  readonly asked: RequestedRange | undefined;
}

interface MplQuestion {
  readonly mpl: string;
  /** Undefined if the text has its own. */
  readonly range: Range | undefined;
  /** How many points a chart has. */
  readonly points: number;
}

/** Runs a query; aborting the signal also stops it on the server. @throws ApiError */
export const runMpl = (
  { mpl, range, points }: MplQuestion,
  urgency: RequestPriority,
  signal?: AbortSignal,
): Promise<MplAnswer> =>
  enqueueRequest(urgency, signal, async () => {
    const response = await api.send('queryMpl', {
      query: { format: 'metrics-v2' },
      headers: { 'x-axiom-chart-width': String(points) },
      body: { mpl, ...(range && { startTime: range.from, endTime: range.to }) },
      ...(signal && { signal }),
    });
    const result = (await response.json()) as MetricsResult;
    return { result, asked: range && requestedRange(range, response.headers) };
  });
