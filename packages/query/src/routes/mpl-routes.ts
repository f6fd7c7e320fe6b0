import { Type } from 'typebox';
import { bytes, type RequestContext, route, type Route, type RouteResponse } from '@millrace/http/route';
import { answerJob } from '../results/respond-job.js';
import { languageText } from '../mpl/language-text.js';
import { chosenFormat, MetricsList, metricsResponse, MetricsResult } from '../mpl/metrics-response.js';
import { MplBody, MplQuery, mplRequest, widthHeader, WidthHeader } from '../mpl/request.js';
import { runMpl } from '../mpl/run-mpl.js';
import type { QueryService } from '../service.js';
import { queryErrors } from './query-errors.js';
import { inPieces } from './in-pieces.js';

/** Queries of metrics in MPL over HTTP. */

const headers = Type.Object({
  accept: Type.Optional(Type.String({ description: 'Media types of clients choose the version of the response.' })),
  ...WidthHeader,
});
const request = { query: MplQuery, headers, body: MplBody } as const;
type MplCall = RequestContext<typeof request>;

export function mplRoutes(service: QueryService): readonly Route[] {
  const common = {
    method: 'POST',
    tag: 'Query',
    need: { scope: 'query' },
    request,
    responses: {
      200: {
        description: 'The series.',
        schema: Type.Union([MetricsResult, MetricsList]),
        mediaTypes: ['application/json', 'application/vnd.metrics.v2+json', 'application/vnd.metrics.v3+json'],
      },
    },
    errors: [...queryErrors, 'dataset-not-found'],
    limitFamily: 'Query',
    handle: (call: MplCall) => answerMpl(call, service),
  } as const;
  return [
    route({
      ...common,
      path: '/v1/query/_mpl',
      operation: 'queryMpl',
      summary: 'Run an MPL query over metrics',
      examples: [
        {
          summary: 'Requests per second by route',
          body: {
            mpl: '`metrics`:`http.server.requests` | align to 1m using prom::rate | group by `http.route` using sum',
            startTime: 'now-1h',
            endTime: 'now',
          },
        },
      ],
    }),
    route({
      ...common,
      path: '/v1/query/_metrics',
      operation: 'queryMetrics',
      summary: 'Run an MPL query (older path)',
    }),
    route({
      method: 'OPTIONS',
      path: '/v1/query/_mpl',
      operation: 'describeMpl',
      tag: 'Query',
      summary: 'Describe MPL',
      description: 'A text for people and agents who write queries. It needs no token.',
      need: { scope: 'public' },
      changesNothing: true,
      request: {},
      responses: { 200: { description: 'The language in Markdown.', mediaTypes: ['text/markdown'] } },
      handle: () => bytes(languageText(), 'text/markdown; charset=utf-8'),
    }),
  ];
}

function answerMpl(call: MplCall, service: QueryService): Promise<RouteResponse> {
  const { query, body, headers } = call;
  const { format, mediaType } = chosenFormat(query.format, headers.accept);
  const now = service.arrivalClock();
  const request = mplRequest(body, now, headers[widthHeader]);
  return answerJob(service.jobs, call, { kind: 'mpl', text: request.text }, async (execution) => {
    const limits = service.jobs.headers(call);
    const outcome = await runMpl(request, { call, execution, service, now, cached: false });
    return { pieces: await inPieces(metricsResponse(outcome, format)), mediaType, headers: limits };
  });
}
