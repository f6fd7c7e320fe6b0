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

interface Asked {
  readonly dataset: string;
  readonly range: { readonly start: number; readonly end: number };
  readonly metric?: string;
}

/** Entries of a list; more are left out. */
const maxEntries = requestBounds.metricEntries.most;

type Describe = (described: Parameters<typeof metricsStatement>[0]) => Query;

/** Values of the columns of a statement. */
function list(asked: Asked, context: QueryRunContext, statement: Describe): Promise<readonly (readonly unknown[])[]> {
  const { dataset, range, metric } = asked;
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
export async function listMetrics(asked: Asked, context: QueryRunContext): Promise<ReadonlyMap<string, MetricInfo>> {
  const [names = [], types = [], temporalities = [], units = []] = await list(asked, context, metricsStatement);
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

export async function listTags(asked: Asked, context: QueryRunContext): Promise<readonly string[]> {
  const [names = []] = await list(asked, context, tagNamesStatement);
  if (names.length === 0) await requireMetric(asked, context);
  return names as readonly string[];
}

/** Values of a tag, with their types. */
export async function listTagValues(asked: Asked, tag: string, context: QueryRunContext): Promise<readonly unknown[]> {
  const [values = []] = await list(asked, context, (described) => tagValuesStatement(described, tag));
  if (values.length === 0) {
    await requireMetric(asked, context);
    if (!(await listTags(asked, context)).includes(tag)) throw httpError('not-found', { kind: 'tag', name: tag });
  }
  return (values as readonly string[]).map((text) => jsonOfTag(readTag(text)));
}

/** Metrics with a tag of this value, and the names of the tags. */
export async function findMetrics(
  asked: Asked,
  value: string | number,
  context: QueryRunContext,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const [names = [], tags = []] = await list(asked, context, (described) => findStatement(described, value));
  return Object.fromEntries((names as readonly string[]).map((name, i) => [name, tags[i] as readonly string[]]));
}

/** @throws HttpError `not-found` for a metric without series in the range */
async function requireMetric({ metric, ...asked }: Asked, context: QueryRunContext): Promise<void> {
  if (metric === undefined) return;
  const [names = []] = await list({ ...asked, metric }, context, metricsStatement);
  if (names.length === 0) throw httpError('not-found', { kind: 'metric', name: metric });
}
