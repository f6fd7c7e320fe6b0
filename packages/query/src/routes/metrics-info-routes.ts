import { type TObject, Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { withTitle } from '@millrace/api/schemas/parts';
import { bytes, json, type RequestContext, route, type Route } from '@millrace/http/route';
import { requestedBounds, requireForwards } from '../compile/request.js';
import type { QueryRunContext } from '../context.js';
import { findMetrics, listMetrics, listTags, listTagValues } from '../mpl/metrics-info.js';
import type { QueryService } from '../service.js';
import { queryErrors } from './query-errors.js';

/** Lists of metrics, their tags and the values of tags. */

const base = '/v1/query/metrics/info/datasets/{dataset}';
const v2MediaType = 'application/vnd.metrics-info.v2+json';

const name = (description: string) => Type.String({ minLength: 1, description });
const dataset = { dataset: name('Dataset of kind `otel:metrics:v1`.') };
const metric = { metric: name('Metric.') };
const tag = { tag: name('Tag.') };

const query = Type.Object({
  start: Type.String({ description: 'RFC 3339 or relative, as in `now-1d`; whole days are searched.' }),
  end: Type.String({ description: 'Same formats as `start`.' }),
});
const Names = Type.Array(Type.String());

const Metrics = withTitle(
  'MetricsInfo',
  Type.Record(
    Type.String(),
    Type.Object({
      type: Type.Union([Type.String(), Type.Null()]),
      temporality: Type.Union([Type.String(), Type.Null()]),
      unit: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
);
const FindMetrics = withTitle(
  'FindMetrics',
  Type.Object({ value: Type.Union([Type.String(), Type.Number()], { description: 'Value of a tag.' }) }),
);

interface Call {
  readonly params: { readonly dataset: string; readonly metric?: string; readonly tag?: string };
  readonly query: { readonly start: string; readonly end: string };
}

export function metricsInfoRoutes(service: QueryService): readonly Route[] {
  const common = {
    tag: 'Query',
    need: { scope: 'query' },
    errors: [...queryErrors, 'dataset-not-found', 'not-found'],
    limitFamily: 'Query',
  } as const;

  /** Runs a list as a query. */
  function run<T>(
    call: Call & RequestContext,
    work: (scope: Parameters<typeof listTags>[0], context: QueryRunContext) => Promise<T>,
  ): Promise<T> {
    const now = service.arrivalClock();
    const { params } = call;
    const scope = { dataset: params.dataset, range: rangeOf(call, now), ...metricIn(params) };
    return service.jobs.run(call, { kind: 'mpl', text: JSON.stringify(scope) }, (execution) =>
      work(scope, { call, execution, service, now, cached: false }),
    );
  }

  const names = <P extends TObject>(path: string, operation: string, summary: string, params: P, ofValues: boolean) =>
    route({
      ...common,
      method: 'GET',
      path: `${base}${path}`,
      operation,
      summary,
      request: { params, query },
      responses: { 200: { description: 'At most 10,000.', schema: ofValues ? Type.Array(Type.Unknown()) : Names } },
      handle: async (call) => {
        const { params } = call as unknown as Call;
        return json(
          await run(call as unknown as Call & RequestContext, (scope, context) =>
            ofValues ? listTagValues(scope, params.tag ?? '', context) : listTags(scope, context),
          ),
        );
      },
    });

  return [
    route({
      ...common,
      method: 'GET',
      path: `${base}/metrics`,
      operation: 'listMetrics',
      summary: 'List the metrics of a dataset',
      description: `An array of names, or with \`Accept: ${v2MediaType}\` an object with type, temporality and unit of each.`,
      request: {
        params: Type.Object(dataset),
        query,
        headers: Type.Object({ accept: Type.Optional(Type.String()) }),
      },
      responses: {
        200: {
          description: 'At most 10,000.',
          schema: Type.Union([Metrics, Names]),
          mediaTypes: ['application/json', v2MediaType],
        },
      },
      handle: async (call) => {
        const found = await run(call as unknown as Call & RequestContext, listMetrics);
        return (call.headers.accept ?? '').includes(v2MediaType)
          ? bytes(Buffer.from(JSON.stringify(Object.fromEntries(found))), v2MediaType)
          : json([...found.keys()]);
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/metrics`,
      operation: 'findMetrics',
      summary: 'Find metrics by the value of a tag',
      request: { params: Type.Object(dataset), query, body: FindMetrics },
      responses: {
        200: { description: 'Names of the tags, by metric.', schema: Type.Record(Type.String(), Names) },
      },
      handle: async (call) => {
        const { value } = call.body;
        return json(
          await run(call as unknown as Call & RequestContext, (scope, context) => findMetrics(scope, value, context)),
        );
      },
    }),
    names(
      '/metrics/{metric}/tags',
      'listMetricTags',
      'List the tags of a metric',
      Type.Object({ ...dataset, ...metric }),
      false,
    ),
    names('/tags', 'listMetricsTags', 'List the tags of all metrics', Type.Object(dataset), false),
    names(
      '/metrics/{metric}/tags/{tag}/values',
      'listMetricTagValues',
      'List the values of a tag of a metric',
      Type.Object({ ...dataset, ...metric, ...tag }),
      true,
    ),
    names(
      '/tags/{tag}/values',
      'listMetricsTagValues',
      'List the values of a tag',
      Type.Object({ ...dataset, ...tag }),
      true,
    ),
  ];
}

const metricIn = ({ metric }: Call['params']) => (metric === undefined ? {} : { metric });

function rangeOf({ query: { start, end } }: Call, now: bigint): { readonly start: number; readonly end: number } {
  const bounds = requestedBounds({ startTime: start, endTime: end }, now);
  requireForwards(bounds);
  const { given, ...range } = bounds.range;
  if (!given.start || !given.end)
    throw httpError('invalid-request', { problem: "query 'start' and 'end' are missing or empty; send both" });
  return { start: Number(range.start / 1_000_000n), end: Number(range.end / 1_000_000n) };
}
