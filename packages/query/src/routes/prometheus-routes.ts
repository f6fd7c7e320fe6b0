import { Type } from 'typebox';
import { json, type Method, type RequestContext, route, type Route, type RouteResponse } from '@millrace/http/route';
import type { QueryRunContext } from '../context.js';
import { labelNames, labelValues, listSeries, type ListRequest, metricMetadata } from '../promql/label-lists.js';
import { labelInPath } from '../promql/escaped-labels.js';
import { PrometheusParameters } from '../promql/parameters.js';
import { prometheusError, prometheusErrors } from '../promql/prometheus-error.js';
import { instantRequest, type PromqlRequest, rangeRequest } from '../promql/request.js';
import { promqlResponse } from '../promql/response.js';
import { runPromql } from '../promql/run-promql.js';
import { filtersOf } from '../promql/selection.js';
import { withProblems } from '../promql/problems.js';
import { answerJob } from '../results/respond-job.js';
import type { QueryService } from '../service.js';
import { queryErrors } from './query-errors.js';
import { inPieces } from './in-pieces.js';

/** Prometheus's API for queries, as the data source of Grafana uses it. */

/** The version whose API this is; Grafana chooses features by it. */
const prometheusVersion = '3.5.0';

interface PrometheusCall {
  readonly call: RequestContext;
  readonly dataset: string;
  /** Of the path `label/{name}/values`. */
  readonly label: string;
  readonly parameters: PrometheusParameters;
  readonly service: QueryService;
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
}

interface Endpoint {
  readonly path: string;
  readonly summary: string;
  readonly methods: readonly Method[];
  answer(received: PrometheusCall): Promise<RouteResponse> | RouteResponse;
}

const bothMethods = ['GET', 'POST'] as const;
const get = ['GET'] as const;

const success = (data: unknown, warnings: readonly string[] = []): RouteResponse =>
  json({ status: 'success', data, ...(warnings.length > 0 && { warnings }) });

const endpoints: readonly Endpoint[] = [
  {
    path: 'query',
    summary: 'Evaluate PromQL at an instant',
    methods: bothMethods,
    answer: (received) => answerQuery(received, instantRequest(received.parameters, milliseconds(received.now))),
  },
  {
    path: 'query_range',
    summary: 'Evaluate PromQL over a range',
    methods: bothMethods,
    answer: (received) => answerQuery(received, rangeRequest(received.parameters)),
  },
  {
    path: 'series',
    summary: 'List the series of selectors',
    methods: bothMethods,
    async answer(received) {
      if (received.parameters.matches().length === 0)
        throw prometheusError('bad_data', 'no match[] parameter provided');
      const found = await answerList(received, listSeries);
      return limitList(
        received,
        found.map((labels) => Object.fromEntries(labels)),
      );
    },
  },
  {
    path: 'labels',
    summary: 'List the names of labels',
    methods: bothMethods,
    answer: async (received) => limitList(received, await answerList(received, labelNames)),
  },
  {
    path: 'label/{name}/values',
    summary: 'List the values of a label',
    methods: get,
    answer: async (received) =>
      limitList(
        received,
        await answerList(received, (request, context) => labelValues(request, received.label, context)),
      ),
  },
  {
    path: 'metadata',
    summary: 'List the types and units of metrics',
    methods: get,
    async answer(received) {
      const { parameters } = received;
      const metric = parameters.text('metric');
      const found = [...(await answerList(received, metricMetadata))].filter(
        ([name]) => metric === '' || name === metric,
      );
      return success(Object.fromEntries(found.slice(0, parameters.limit())));
    },
  },
  {
    path: 'query_exemplars',
    summary: 'No exemplars: they are not stored',
    methods: bothMethods,
    answer: () => success([]),
  },
  { path: 'rules', summary: 'No rules: monitors replace them', methods: get, answer: () => success({ groups: [] }) },
  {
    path: 'status/buildinfo',
    summary: 'The version of the API',
    methods: get,
    answer: () =>
      success({
        version: prometheusVersion,
        revision: '',
        branch: '',
        buildUser: '',
        buildDate: '',
        goVersion: '',
      }),
  },
];

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 1_000_000n);

function limitList({ parameters }: PrometheusCall, list: readonly unknown[]): RouteResponse {
  const limit = parameters.limit();
  return success(list.slice(0, limit), list.length > limit ? ['results truncated due to limit'] : []);
}

const text = () => Type.Optional(Type.String());

const query = Type.Object({
  query: text(),
  time: text(),
  start: text(),
  end: text(),
  step: text(),
  limit: text(),
  lookback_delta: text(),
  metric: text(),
  match: Type.Optional(Type.Array(Type.String(), { 'x-whole': true })),
});

export const prometheusRoutes = (service: QueryService): readonly Route[] =>
  endpoints.flatMap((endpoint) => endpoint.methods.map((method) => prometheusRoute(endpoint, method, service)));

function prometheusRoute({ path, summary, answer }: Endpoint, method: Method, service: QueryService): Route {
  const names = path.includes('{name}') ? { name: Type.String() } : {};
  return route({
    method,
    path: `/prometheus/{dataset}/api/v1/${path}`,
    operation: `prometheus ${method} ${path}`,
    tag: 'Prometheus',
    shipper: true,
    summary,
    need: { scope: 'query' },
    tokenIn: ['basic'],
    badTokenStatus: 401,
    errorForm: prometheusErrors,
    changesNothing: true,
    request: {
      params: Type.Object({ dataset: Type.String(), ...names }),
      query,
      ...(method === 'POST' && { body: 'bytes' as const }),
    },
    responses: {},
    errors: [...queryErrors, 'dataset-not-found'],
    limitFamily: 'Query',
    handle(call: RequestContext) {
      const { params, query } = call as unknown as {
        readonly params: { readonly dataset: string; readonly name?: string };
        readonly query: ConstructorParameters<typeof PrometheusParameters>[0];
      };
      return answer({
        call,
        service,
        dataset: params.dataset,
        label: labelInPath(params.name ?? ''),
        parameters: new PrometheusParameters(query, call.text()),
        now: service.arrivalClock(),
      });
    },
  });
}

function answerQuery(received: PrometheusCall, request: PromqlRequest): Promise<RouteResponse> {
  const { call, service, dataset, now } = received;
  return answerJob(service.jobs, call, { kind: 'promql', text: request.text }, async (execution) => {
    const headers = service.jobs.headers(call);
    const outcome = await runPromql(request, dataset, { call, execution, service, now, cached: false });
    return { pieces: await inPieces(promqlResponse(outcome)), mediaType: 'application/json', headers };
  });
}

/** Runs a list as a query; without a range, over everything stored. */
function answerList<T>(
  { call, service, dataset, parameters, now }: PrometheusCall,
  work: (request: ListRequest, context: QueryRunContext) => Promise<T>,
): Promise<T> {
  const filters = filtersOf(parameters.matches());
  const range = { start: parameters.time('start', 0), end: parameters.time('end', milliseconds(now)) + 1 };
  const request = { dataset, range, filters };
  const text = JSON.stringify({ dataset, ...range, match: parameters.matches() });
  return service.jobs.run(call, { kind: 'promql', text }, (execution) =>
    withProblems(() => work(request, { call, execution, service, now, cached: false })),
  );
}
