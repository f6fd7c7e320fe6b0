import { Type } from 'typebox';
import {
  bytes,
  json,
  type Method,
  type RequestContext,
  route,
  type Route,
  type RouteResponse,
} from '@millrace/http/route';
import { type LogQuery, type Metric, parse, type Query } from '@millrace/logql';
import type { QueryRunContext } from '../context.js';
import {
  detectedFields,
  detectedLabels,
  detectedValues,
  labelNames,
  labelValues,
  type ListRequest,
  selectorOf,
  seriesOf,
  statistics,
} from '../logql/log-lists.js';
import { lokiError, lokiErrors, withLokiErrors } from '../logql/loki-error.js';
import { streamsResponse, warnings } from '../logql/loki-response.js';
import { LokiParameters } from '../logql/parameters.js';
import { runLog } from '../logql/run-log.js';
import { type MetricRequest, runMetric } from '../logql/run-metric.js';
import { Target } from '../logql/target.js';
import { promqlResponse } from '../promql/response.js';
import { answerJob } from '../results/respond-job.js';
import type { QueryService } from '../service.js';
import { queryErrors } from './query-errors.js';
import { inPieces } from './in-pieces.js';

/** Loki's API for queries, as `logcli` and the data source of Grafana use it. */

interface LokiCall {
  readonly call: RequestContext;
  /** Of the path. */
  readonly name: string;
  readonly parameters: LokiParameters;
  readonly target: Target;
  readonly service: QueryService;
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
  /** Whether labels of parsers stand apart from those of streams. */
  readonly categorized: boolean;
}

interface Endpoint {
  readonly path: string;
  readonly summary: string;
  readonly methods: readonly Method[];
  answer(received: LokiCall): Promise<RouteResponse> | RouteResponse;
}

const bothMethods = ['GET', 'POST'] as const;
const get = ['GET'] as const;

/** Lines of a response without a limit, as in Loki. */
const defaultLines = 100;

const success = (data: unknown): RouteResponse => json({ status: 'success', data });

/** The version of Loki whose API this is; Grafana chooses features by it. */
const lokiVersion = '3.5.0';

const endpoints: readonly Endpoint[] = [
  {
    path: 'query',
    summary: 'Evaluate LogQL at an instant',
    methods: bothMethods,
    answer(received) {
      const { parameters } = received;
      return answerQuery(received, (query, text) => {
        if (query.kind === 'log')
          throw lokiError(
            'log queries are not supported as an instant query type, please change your query to a range query type',
          );
        return answerMetric(received, { text, kind: 'instant', metric: query.metric, grid: parameters.instant() });
      });
    },
  },
  {
    path: 'query_range',
    summary: 'Run LogQL over a range',
    methods: bothMethods,
    answer(received) {
      const { parameters } = received;
      return answerQuery(received, (query, text) =>
        query.kind === 'log'
          ? answerLines(received, text, query.log)
          : answerMetric(received, { text, kind: 'range', metric: query.metric, grid: parameters.grid() }),
      );
    },
  },
  {
    path: 'labels',
    summary: 'List the names of labels',
    methods: bothMethods,
    answer: (received) => answerList(received, async (request) => success(await labelNames(request))),
  },
  {
    path: 'label/{name}/values',
    summary: 'List the values of a label',
    methods: get,
    answer: (received) => answerList(received, async (request) => success(await labelValues(request, received.name))),
  },
  {
    path: 'series',
    summary: 'List combinations of labels',
    methods: bothMethods,
    answer: (received) => answerList(received, async (request) => success(await seriesOf(request))),
  },
  {
    path: 'index/stats',
    summary: 'Count lines and their bytes',
    methods: bothMethods,
    answer: (received) => answerList(received, async (request) => json(await statistics(request))),
  },
  {
    path: 'index/volume',
    summary: 'Sum the bytes of lines by label',
    methods: bothMethods,
    answer: (received) => answerVolume(received, 'instant'),
  },
  {
    path: 'index/volume_range',
    summary: 'Sum the bytes of lines by label over time',
    methods: bothMethods,
    answer: (received) => answerVolume(received, 'range'),
  },
  {
    path: 'detected_labels',
    summary: 'List labels of the newest lines',
    methods: bothMethods,
    answer: (received) =>
      answerList(received, async (request) => json({ detectedLabels: await detectedLabels(request) })),
  },
  {
    path: 'detected_fields',
    summary: 'List fields in the newest lines',
    methods: bothMethods,
    answer: (received) =>
      answerList(received, async (request) => json({ fields: await detectedFields(request), limit: 1000 })),
  },
  {
    path: 'detected_field/{name}/values',
    summary: 'List the values of a field in the newest lines',
    methods: get,
    answer: (received) =>
      answerList(received, async (request) =>
        json({ values: await detectedValues(request, received.name), limit: 1000 }),
      ),
  },
  {
    path: 'patterns',
    summary: 'Not supported',
    methods: get,
    answer: () =>
      bytes('patterns are not supported; use the operator reduce of APL\n', 'text/plain; charset=utf-8', 404),
  },
  {
    path: 'tail',
    summary: 'Not supported',
    methods: get,
    answer: () =>
      bytes(
        'live tailing by WebSocket is not supported; poll query_range, or use millrace tail\n',
        'text/plain; charset=utf-8',
        501,
      ),
  },
  {
    path: 'rules',
    summary: 'No rules: monitors replace them',
    methods: get,
    answer: () => success({ groups: [] }),
  },
];

/** Not at the root, where the endpoints for shippers have it. */
const buildInfo: Endpoint = {
  path: 'status/buildinfo',
  summary: 'The version of the API',
  methods: get,
  answer: () => json({ version: lokiVersion, revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' }),
};

const text = () => Type.Optional(Type.String());

const query = Type.Object({
  query: text(),
  time: text(),
  start: text(),
  end: text(),
  since: text(),
  step: text(),
  interval: text(),
  limit: text(),
  line_limit: text(),
  direction: text(),
  targetLabels: text(),
  aggregateBy: text(),
  match: Type.Optional(Type.Array(Type.String(), { 'x-whole': true })),
});

const headers = Type.Object({
  'x-scope-orgid': text(),
  'x-loki-response-encoding-flags': text(),
});

/** Without a dataset in the path, the tenant, a label or the token says which. */
const bases = [
  { prefix: '/loki/{dataset}/loki/api/v1/', endpoints: [...endpoints, buildInfo] },
  { prefix: '/loki/api/v1/', endpoints },
];

export const lokiRoutes = (service: QueryService): readonly Route[] =>
  bases.flatMap(({ prefix, endpoints: own }) =>
    own.flatMap((endpoint) => endpoint.methods.map((method) => lokiRoute(prefix, endpoint, method, service))),
  );

function lokiRoute(prefix: string, { path, summary, answer }: Endpoint, method: Method, service: QueryService): Route {
  const names = path.includes('{name}') ? { name: Type.String() } : {};
  const hasDataset = prefix.includes('{dataset}');
  return route({
    method,
    path: `${prefix}${path}`,
    operation: `loki ${method} ${hasDataset ? 'dataset ' : ''}${path}`,
    tag: 'Loki',
    shipper: true,
    summary,
    need: { scope: 'query' },
    tokenIn: ['basic'],
    badTokenStatus: 401,
    errorForm: lokiErrors,
    changesNothing: true,
    request: {
      params: Type.Object({ ...(hasDataset && { dataset: Type.String() }), ...names }),
      query,
      headers,
      ...(method === 'POST' && { body: 'bytes' as const }),
    },
    responses: {},
    errors: [...queryErrors, 'dataset-not-found'],
    limitFamily: 'Query',
    handle(call: RequestContext) {
      const { params, query, headers } = call as unknown as {
        readonly params: { readonly dataset?: string; readonly name?: string };
        readonly query: ConstructorParameters<typeof LokiParameters>[0];
        readonly headers: Readonly<Record<string, string | undefined>>;
      };
      const now = service.arrivalClock();
      return withLokiErrors(() =>
        answer({
          call,
          service,
          name: params.name ?? '',
          parameters: new LokiParameters(query, call.text(), now),
          target: new Target(call, service, params.dataset ?? headers['x-scope-orgid']),
          now,
          categorized: headers['x-loki-response-encoding-flags']?.includes('categorize-labels') === true,
        }),
      );
    },
  });
}

/** Characters of a query: it is parsed at once. */
const longestText = 100_000;

function answerQuery(
  { parameters }: LokiCall,
  answer: (query: Query, text: string) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const written = parameters.text('query');
  if (written.length > longestText) throw lokiError(`the query has more than ${longestText} characters`);
  return answer(parse(written), written);
}

const contextOf = ({ call, service, now }: LokiCall, execution: QueryRunContext['execution']): QueryRunContext => ({
  call,
  execution,
  service,
  now,
  cached: true,
});

function answerLines(received: LokiCall, written: string, log: LogQuery): Promise<RouteResponse> {
  const { call, service, parameters, target, categorized } = received;
  const request = {
    text: written,
    log,
    range: parameters.range(),
    limit: parameters.limit(defaultLines, service.settings.maxQueryLimit),
    newestFirst: parameters.isBackward(),
  };
  return answerJob(service.jobs, call, { kind: 'logql', text: written }, async (execution) => {
    const headers = service.jobs.headers(call);
    const outcome = await withLokiErrors(() => runLog(request, target, contextOf(received, execution)));
    const pieces = await inPieces(streamsResponse(outcome, { categorized }));
    return { pieces, mediaType: 'application/json', headers };
  });
}

function answerMetric(received: LokiCall, request: MetricRequest): Promise<RouteResponse> {
  const { call, service, target } = received;
  return answerJob(service.jobs, call, { kind: 'logql', text: request.text }, async (execution) => {
    const headers = service.jobs.headers(call);
    const { value, partial } = await withLokiErrors(() => runMetric(request, target, contextOf(received, execution)));
    const { kind, grid } = request;
    const response = { request: { kind, grid, limit: Infinity }, value, warnings: warnings(partial) };
    return { pieces: await inPieces(promqlResponse(response)), mediaType: 'application/json', headers };
  });
}

/** Runs a list as a query. */
function answerList(
  received: LokiCall,
  work: (request: ListRequest) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const { call, service, parameters, target } = received;
  const texts = [parameters.text('query'), ...parameters.matches()];
  const selectors = texts.map(selectorOf).filter((each) => each !== undefined);
  const range = parameters.range();
  return service.jobs.run(call, { kind: 'logql', text: texts.filter((each) => each !== '').join(' ') }, (execution) =>
    withLokiErrors(() => work({ target, selectors, range, context: contextOf(received, execution) })),
  );
}

/** `sum by (labels) (bytes_over_time(selector [range]))` */
function answerVolume(received: LokiCall, kind: 'instant' | 'range'): Promise<RouteResponse> {
  const { parameters } = received;
  const written = parameters.text('query');
  const log = selectorOf(written);
  if (log === undefined) throw lokiError('a selector is expected, as in {app="web"}');
  const { start, end } = parameters.range();
  const given = parameters.text('targetLabels');
  const labels = given === '' ? log.selector.map(({ label }) => label) : given.split(',');
  const whole = { start: Number(end / 1_000_000n), step: 1, length: 1 };
  const grid = kind === 'instant' ? whole : parameters.grid();
  const range = kind === 'instant' ? Math.max(Number((end - start) / 1_000_000n), 1) : grid.step;
  const { span } = log;
  const bytesOf: Metric = { kind: 'range', op: 'bytes_over_time', log, range, offset: 0, span };
  const sum: Metric = { kind: 'aggregation', op: 'sum', of: bytesOf, grouping: { kind: 'by', labels }, span };
  const limit = parameters.limit(defaultLines, received.service.settings.maxQueryLimit);
  const metric: Metric = { kind: 'aggregation', op: 'topk', parameter: limit, of: sum, span };
  return answerMetric(received, { text: written, kind, metric: kind === 'instant' ? metric : sum, grid });
}
