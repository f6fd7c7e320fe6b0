import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import type { CompiledQuery } from '@millrace/apl';
import { Type } from 'typebox';
import { writeJson } from '@millrace/http/body/json-body';
import { route, type RouteResponse, type RequestContext, type Route } from '@millrace/http/route';
import { answerJob } from '../results/respond-job.js';
import { httpError } from '@millrace/api/errors';
import type { QueryOutcome } from '../run/outcome.js';
import { fieldsMetaMapOf } from '../results/fields-meta.js';
import { StructuredAnswer } from '@millrace/api/schemas/query-results';
import { historyHeader } from './history-routes.js';
import type { QueryExecution } from '../schedule/jobs.js';
import { watermarkHeader } from '../results/watermark-header.js';
import type { Buckets } from '../results/buckets.js';
import { legacyAnswer } from '../results/legacy.js';
import { retryOnChange } from '../retries.js';
import { longPollMilliseconds, advanceEnd } from '../long-poll.js';
import { runPlan, runPlans } from '../run-plan.js';
import type { QueryRunContext } from '../context.js';
import { prepareStructure, type StructuredPlans } from '../prepare.js';
import { queryErrors } from './query-errors.js';
import { arrivedBy, requestedBounds, asOfIn, type RequestedBounds } from '../compile/request.js';
import { type QueryService, shownDatasets } from '../service.js';
import { waitedMessage } from '../results/waited-message.js';
import { type Message, seriesMessages, statusOf, timeMessages } from '../results/status.js';
import { StructuredBody, StructuredQuery } from '../structured/body.js';

/** Structured queries: a body of filters, aggregations and groups instead of text. */

const params = Type.Object({ name: Type.String({ minLength: 1, description: 'Name of the dataset or view.' }) });
const request = { params, query: StructuredQuery, body: StructuredBody } as const;
type StructuredCall = RequestContext<typeof request>;

export function structuredRoutes(service: QueryService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/datasets/{name}/query',
      operation: 'queryDataset',
      tag: 'Query',
      summary: 'Run a structured query',
      description:
        'Translated to APL; the response is in the legacy format. Filters: `and` `or` `not` with children; `==` `!=` `>` `>=` `<` `<=` (or `eq` `ne` ' +
        '`gt` `gte` `lt` `lte`), `exists` `contains` `starts-with` `ends-with` `has` `regexp`, and the last six with `not-` in front. With ' +
        '`caseSensitive: false` comparisons ignore case; by default, equality is case-sensitive.',
      need: { scope: 'query', param: 'name' },
      request,
      responses: { 200: { description: 'The result.', schema: StructuredAnswer } },
      errors: ['dataset-not-found', ...queryErrors],
      examples: [
        {
          summary: 'Errors by path',
          params: { name: 'http-logs' },
          body: {
            startTime: 'now-1h',
            endTime: 'now',
            resolution: 'auto',
            aggregations: [{ op: 'count', field: '*', alias: 'requests' }],
            groupBy: ['path'],
            filter: { op: '>=', field: 'status', value: 500 },
          },
        },
      ],
      limitFamily: 'Query',
      exactIntegers: true,
      handle: (call: StructuredCall) => answerStructure(call, service),
    }),
  ];
}

/**
 * The result. For an aggregation, the outcome has a row per group, and the buckets also one per
 * bucket and group.
 */
interface StructuredResult {
  readonly outcome: QueryOutcome;
  readonly buckets?: Buckets;
  readonly messages?: readonly Message[];
}

async function answerStructure(call: StructuredCall, service: QueryService): Promise<RouteResponse> {
  const started = performance.now();
  const { params, body } = call;
  const { name } = params;
  requireShort(call, service.settings);
  await requireSource(call, name, service);
  return answerJob(service.jobs, call, { kind: 'structured', text: writeJson(body) }, async (execution) => {
    const headers = { ...service.jobs.headers(call), ...historyHeader(call, name, service) };
    const now = service.arrivalClock();
    const bounds = requestedBounds(
      { ...body, cursor: (body.cursor ?? '') === '' ? body.continuationToken : body.cursor },
      now,
    );
    const { outcome, buckets, messages = [] } = await longPoll(call, { bounds, now }, execution, service);
    const status = statusOf(outcome, {
      elapsedMicroseconds: Math.round((performance.now() - started) * 1000),
      cursor: bounds.cursor?.text,
      messages: [...timeMessages(bounds, outcome.compiled), ...messages, ...waitedMessage(execution.spent())],
    });
    // For a view, the fields of the datasets it reads, limited to datasets that the caller may
    // query.
    const meta = await fieldsMetaMapOf(outcome.table.output, shownDatasets(call, outcome.compiled), service);
    const fieldsMeta = Object.values(meta).flat();
    const pieces = await runYielding(legacyAnswer({ status, fieldsMeta }, outcome, buckets), new Yielder());
    return {
      pieces,
      mediaType: 'application/json; charset=utf-8',
      headers: { ...headers, ...watermarkHeader(outcome) },
    };
  });
}

/**
 * A query in JSON is read and translated while others wait, and its syntax tree takes ten times its
 * bytes.
 * @throws HttpError `invalid-request`
 */
function requireShort(call: Pick<RequestContext, 'text'>, { maxStructuredBytes }: QueryService['settings']): void {
  const length = Buffer.byteLength(call.text());
  if (length > maxStructuredBytes)
    throw httpError('invalid-request', {
      problem: `the structured query has ${length} bytes, and MILLRACE_MAX_STRUCTURED_BYTES allows ${maxStructuredBytes}; make it smaller, or ask in APL`,
    });
}

/**
 * The route's check admits callers who may query either a dataset or a view of this name; here it
 * is known whether it is a dataset or a view.
 * @throws HttpError `forbidden`, `dataset-not-found`
 */
async function requireSource(
  call: Pick<RequestContext, 'require'>,
  name: string,
  { metadata }: QueryService,
): Promise<void> {
  const isDataset = metadata.datasets.find(name) !== undefined;
  if (!isDataset && !(await metadata.views.list()).some((view) => view.name === name))
    throw httpError('dataset-not-found', { name });
  call.require({ scope: isDataset ? 'dataset' : 'view', name, resource: 'query', action: 'read' });
}

function longPoll(
  call: StructuredCall,
  { bounds, now }: { readonly bounds: RequestedBounds; readonly now: bigint },
  execution: QueryExecution,
  service: QueryService,
): Promise<StructuredResult> {
  const { params, query, body } = call;
  const milliseconds = longPollMilliseconds(query['streaming-duration']);
  const context: QueryRunContext = { call, execution, service, now, cached: query.nocache !== true };
  return retryOnChange(
    {
      prepare: () => {
        const at = milliseconds > 0 ? service.arrivalClock() : now;
        const request = {
          dataset: params.name,
          body,
          bounds: milliseconds > 0 ? advanceEnd(bounds, now, at) : bounds,
        };
        return prepareStructure(request, { ...context, impliedEnd: at });
      },
      perform: (plans) =>
        plans.kind === 'events'
          ? eventsOf(plans.plan, { bounds, arrived: arrivedBy(asOfIn(body)) }, context)
          : groupsOf(plans, arrivedBy(asOfIn(body)), context),
    },
    {
      ...context,
      milliseconds,
      reads: (plans) => (plans.kind === 'events' ? plans.plan : plans.totals),
      isEmpty: ({ outcome, buckets }) => buckets === undefined && outcome.table.rows === 0,
    },
  );
}

const earlierOf = (one: bigint, other: bigint): bigint => (one < other ? one : other);

type Arrival = ReturnType<typeof arrivedBy>;

const eventsOf = async (
  plan: CompiledQuery,
  { bounds, arrived }: { readonly bounds: RequestedBounds; readonly arrived: Arrival },
  context: QueryRunContext,
): Promise<StructuredResult> => ({
  outcome: await runPlan(plan, context, { ...arrived, cursor: bounds.cursor?.place.time }),
});

async function groupsOf(
  { tree, totals, series }: Extract<StructuredPlans, { kind: 'aggregation' }>,
  arrived: Arrival,
  context: QueryRunContext,
): Promise<StructuredResult> {
  const questions = [
    { plan: totals, how: arrived },
    { plan: series, how: { ...arrived, count: false } },
  ];
  const [outcome, found] = (await runPlans(questions, context)) as [QueryOutcome, QueryOutcome];
  const bucket = series.presentation.bucket;
  // Each is complete up to its own watermark, and the response up to the earlier one.
  const watermark = earlierOf(outcome.watermark, found.watermark);
  return {
    outcome: { ...outcome, watermark },
    messages: seriesMessages(found),
    buckets: {
      groups: tree.groups,
      aggregates: tree.aggregates,
      totals: outcome.table,
      ...(bucket !== undefined && { series: { table: found.table, time: bucket.field, size: bucket.size } }),
    },
  };
}
