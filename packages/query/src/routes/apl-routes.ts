import { Type } from 'typebox';
import { route, type RouteResponse, type RequestContext, type Route } from '@millrace/http/route';
import { answerJob } from '../results/respond-job.js';
import { aplAnswer, formatOf, runApl } from '../apl.js';
import { LegacyAnswer, TabularAnswer } from '@millrace/api/schemas/query-results';
import { watermarkHeader } from '../results/watermark-header.js';
import { historyHeader } from './history-routes.js';
import { queryErrors } from './query-errors.js';
import { AplBody, AplQuery } from '../compile/request.js';
import { type QueryService, shownDatasets } from '../service.js';

/** Queries in APL over HTTP: the native endpoint and its edge path. */

const request = { query: AplQuery, body: AplBody } as const;
type AplCall = RequestContext<typeof request>;

export function aplRoutes(service: QueryService): readonly Route[] {
  const common = {
    tag: 'Query',
    need: { scope: 'query' },
    request,
    responses: {
      200: {
        description: 'The result.',
        schema: Type.Union([LegacyAnswer, TabularAnswer]),
        mediaTypes: ['application/json', 'application/x-ndjson'],
      },
    },
    errors: queryErrors,
    limitFamily: 'Query',
    exactIntegers: true,
    handle: (call: AplCall) => answerApl(call, service),
  } as const;
  return [
    route({
      ...common,
      method: 'POST',
      path: '/v1/datasets/_apl',
      operation: 'queryApl',
      summary: 'Run an APL query',
      examples: [
        {
          summary: 'Errors by path',
          query: { format: 'tabular' },
          body: { apl: "['logs'] | where status >= 500 | summarize count() by path" },
        },
      ],
    }),
    route({
      ...common,
      method: 'POST',
      path: '/v1/query/_apl',
      operation: 'queryAplEdge',
      summary: 'Run an APL query (edge path)',
    }),
    route({
      ...common,
      method: 'POST',
      path: '/v2/datasets/_apl',
      operation: 'queryAplV2',
      summary: 'Run an APL query (path of axiom-fs)',
    }),
  ];
}

async function answerApl(call: AplCall, service: QueryService): Promise<RouteResponse> {
  const started = performance.now();
  const { query, body } = call;
  const format = formatOf(query.format);
  return answerJob(service.jobs, call, { kind: 'apl', text: body.apl }, async (execution) => {
    const limits = service.jobs.headers(call);
    const result = await runApl(call, { body, query, format }, execution, service);
    const [read] = shownDatasets(call, result.outcome.compiled);
    const dataset = query.dataset_name ?? query.id ?? read;
    const headers = { ...limits, ...historyHeader(call, dataset, service) };
    const elapsedMicroseconds = Math.round((performance.now() - started) * 1000);
    const pieces = await aplAnswer(call, result, { format, elapsedMicroseconds, spent: execution.spent() }, service);
    const mediaType = format === 'tabular-rows' ? 'application/x-ndjson' : 'application/json; charset=utf-8';
    return { pieces, mediaType, headers: { ...headers, ...watermarkHeader(result.outcome) } };
  });
}
