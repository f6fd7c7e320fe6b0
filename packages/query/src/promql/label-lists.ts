import {
  metricsStatement,
  readTag,
  shownTag,
  type TagFilter,
  tagNamesStatement,
  tagValuesStatement,
} from '@millrace/mpl';
import { type Labels, metricName } from '@millrace/promql';
import { printQuery, type Query } from '@millrace/sql';
import { requestBounds } from '@millrace/api/limits';
import type { QueryRunContext } from '../context.js';
import { metricsDataset, readMetrics } from '../mpl/run-mpl.js';
import { columnsOf, describeSeries } from '../mpl/stored-series.js';
import { retryOnChange } from '../retries.js';
import { labelsOfStored } from './stored-labels.js';

/** Lists of labels, their values, series and metrics. */

export interface ListRequest {
  readonly dataset: string;
  /** Milliseconds; whole days are searched. */
  readonly range: { readonly start: number; readonly end: number };
  /** Series pass one of these; all if empty. */
  readonly filters: readonly TagFilter[];
}

/** Entries of a list; more are left out. */
const maxEntries = requestBounds.metricEntries.max;

type Describe = (described: Parameters<typeof metricsStatement>[0]) => Query;

function columns(
  { dataset, range, filters }: ListRequest,
  context: QueryRunContext,
  statement: Describe,
): Promise<readonly (readonly unknown[])[]> {
  return retryOnChange({
    prepare: () => Promise.resolve(metricsDataset(dataset, context)),
    perform: (record) =>
      readMetrics(record, context, async ({ statement: run, from }) =>
        columnsOf(await run(printQuery(statement({ from, range, filters, limit: maxEntries })))),
      ),
  });
}

export async function labelNames(request: ListRequest, context: QueryRunContext): Promise<readonly string[]> {
  const [names = []] = (await columns(request, context, tagNamesStatement)) as readonly (readonly string[])[];
  const [metrics = []] = names.length > 0 ? [names] : await columns(request, context, metricsStatement);
  return metrics.length === 0 ? [] : [...names, metricName].toSorted();
}

export async function labelValues(
  request: ListRequest,
  label: string,
  context: QueryRunContext,
): Promise<readonly string[]> {
  if (label === metricName) {
    const [names = []] = await columns(request, context, metricsStatement);
    return names as readonly string[];
  }
  const [stored = []] = await columns(request, context, (described) => tagValuesStatement(described, label));
  const values = new Set((stored as readonly string[]).map((text) => shownTag(readTag(text))));
  values.delete('');
  return [...values].toSorted();
}

/** @throws BoundExceeded */
export function listSeries(request: ListRequest, context: QueryRunContext): Promise<readonly Labels[]> {
  const { dataset, range, filters } = request;
  return retryOnChange({
    prepare: () => Promise.resolve(metricsDataset(dataset, context)),
    perform: (record) =>
      readMetrics(record, context, async (stored) => {
        const found = await describeSeries({ sample: 1, filter: { kind: 'or', parts: filters } }, range, stored);
        return found.map(labelsOfStored);
      }),
  });
}

interface MetricMetadata {
  readonly type: string;
  readonly help: string;
  readonly unit: string;
}

/** As Prometheus names the types. */
const typeNames: Readonly<Record<string, string>> = {
  Gauge: 'gauge',
  CounterMonotonic: 'counter',
  CounterNonMonotonic: 'gauge',
  Histogram: 'histogram',
  Summary: 'summary',
};

export async function metricMetadata(
  request: ListRequest,
  context: QueryRunContext,
): Promise<ReadonlyMap<string, readonly MetricMetadata[]>> {
  const [names = [], types = [], , units = []] = await columns(request, context, metricsStatement);
  return new Map(
    (names as readonly string[]).map((name, i) => [
      name,
      (types[i] as readonly string[]).map((type) => ({
        type: typeNames[type] ?? 'unknown',
        help: '',
        unit: units[i] as string,
      })),
    ]),
  );
}
