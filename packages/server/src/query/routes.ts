import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { bytes, route, type Answer, type Call, type Route } from '../routes/route.js';
import { catalogueFor } from './catalogue.js';
import { fieldsMetaOf } from './fields-meta.js';
import { legacyAnswer } from './legacy.js';
import { AplBody, AplQuery, aplRequest } from './request.js';
import { type QueryDependencies, runApl } from './run.js';
import { statusOf } from './status.js';
import { tabularAnswer } from './tabular.js';

/** Queries in APL over HTTP: the native endpoint and its edge path. */

export interface QueryRouteDependencies extends QueryDependencies {
  /** Nanoseconds since the epoch. */
  readonly clock: () => bigint;
}

type Shape = { readonly query: typeof AplQuery; readonly body: typeof AplBody };

export function queryRoutes(deps: QueryRouteDependencies): readonly Route[] {
  const shape: Shape = { query: AplQuery, body: AplBody };
  const common = {
    tag: 'Query',
    need: { scope: 'dataset', resource: 'query', action: 'read' },
    request: shape,
    responses: { 200: { description: 'The result.', schema: Type.Unknown() } },
    errors: [
      'invalid-query',
      'invalid-cursor',
      'query-out-of-memory',
      'query-too-long',
      'query-too-large',
      'query-cancelled',
      'storage-unavailable',
    ],
    limitFamily: 'Query',
    handle: (call: Call<Shape>) => answerApl(call, deps),
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
  ];
}

async function answerApl(call: Call<Shape>, deps: QueryRouteDependencies): Promise<Answer> {
  const now = deps.clock();
  const request = aplRequest(call.body as Static<typeof AplBody>, call.query, now);
  const catalogue = await catalogueFor(call, deps);
  const outcome = await runApl(request, catalogue, now, deps, call.signal);
  const status = statusOf(outcome, request.cursor?.text);
  const fieldsMeta = await fieldsMetaOf(outcome, deps.metadata);
  const headers: Record<string, string> = {};
  if (call.query.saveAsKind !== undefined) headers['x-axiom-history-query-id'] = randomUUID();
  const pieces =
    call.query.format === 'tabular'
      ? tabularAnswer(outcome, { status, fieldsMeta })
      : legacyAnswer(outcome, {
          status,
          more: { datasetNames: outcome.compiled.datasets, fieldsMetaMap: fieldsMeta },
        });
  return bytes(Buffer.concat(pieces), 'application/json; charset=utf-8', 200, headers);
}
