import { requestBounds } from '@millrace/api/limits';
import {
  findStatement,
  jsonOfTag,
  metricsStatement,
  readTag,
  tagNamesStatement,
  tagValuesStatement,
} from '@millrace/mpl';
import { printQuery, type Query } from '@millrace/sql';
import { httpError } from '@millrace/api/errors';
import type { QueryRunContext } from '../context.js';
import { retryOnChange } from '../retries.js';
import { columnsOf } from './stored-series.js';
import { metricsDataset, readMetrics } from './run-mpl.js';

/** Lists of the metrics and tags of a dataset in a time range. */

interface MetricInfo {
  readonly type: string | null;
  readonly temporality: string | null;
  readonly unit: string | null;
}

interface MetricsScope {
  readonly dataset: string;
  readonly range: { readonly start: number; readonly end: number };
  readonly metric?: string;
}

/** Entries of a list; more are left out. */
const maxEntries = requestBounds.metricEntries.max;

type Describe = (described: Parameters<typeof metricsStatement>[0]) => Query;

/** Values of the columns of a statement. */
function list(
  scope: MetricsScope,
  context: QueryRunContext,
  statement: Describe,
): Promise<readonly (readonly unknown[])[]> {
  const { dataset, range, metric } = scope;
  return retryOnChange({
    prepare: () => Promise.resolve(metricsDataset(dataset, context)),
    perform: (record) =>
      readMetrics(record, context, async ({ statement: run, from }) => {
        const described = { from, range, limit: maxEntries, ...(metric !== undefined && { metric }) };
        return columnsOf(await run(printQuery(statement(described))));
      }),
  });
}

/** Metrics by name. */
export async function listMetrics(
  scope: MetricsScope,
  context: QueryRunContext,
): Promise<ReadonlyMap<string, MetricInfo>> {
  const [names = [], types = [], temporalities = [], units = []] = await list(scope, context, metricsStatement);
  return new Map(
    (names as readonly string[]).map((name, i) => [
      name,
      {
        type: oneOf(types[i] as readonly string[]),
        temporality: oneOf(temporalities[i] as readonly string[]),
        unit: (units[i] as string) || null,
      },
    ]),
  );
}

/** The value that all series have; `Mixed` if there are several. */
const oneOf = (values: readonly string[]): string | null => (values.length > 1 ? 'Mixed' : values[0] || null);

export async function listTags(scope: MetricsScope, context: QueryRunContext): Promise<readonly string[]> {
  const [names = []] = await list(scope, context, tagNamesStatement);
  if (names.length === 0) await requireMetric(scope, context);
  return names as readonly string[];
}

/** Values of a tag, with their types. */
export async function listTagValues(
  scope: MetricsScope,
  tag: string,
  context: QueryRunContext,
): Promise<readonly unknown[]> {
  const [values = []] = await list(scope, context, (described) => tagValuesStatement(described, tag));
  if (values.length === 0) {
    await requireMetric(scope, context);
    if (!(await listTags(scope, context)).includes(tag)) throw httpError('not-found', { kind: 'tag', name: tag });
  }
  return (values as readonly string[]).map((text) => jsonOfTag(readTag(text)));
}

/** Metrics with a tag of this value, and the names of the tags. */
export async function findMetrics(
  scope: MetricsScope,
  value: string | number,
  context: QueryRunContext,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const [names = [], tags = []] = await list(scope, context, (described) => findStatement(described, value));
  return Object.fromEntries((names as readonly string[]).map((name, i) => [name, tags[i] as readonly string[]]));
}

/** @throws HttpError `not-found` for a metric without series in the range */
async function requireMetric({ metric, ...scope }: MetricsScope, context: QueryRunContext): Promise<void> {
  if (metric === undefined) return;
  const [names = []] = await list({ ...scope, metric }, context, metricsStatement);
  if (names.length === 0) throw httpError('not-found', { kind: 'metric', name: metric });
}
