import { Type } from 'typebox';
import { httpError } from '../../errors.js';
import { writeJson } from '../../http/json-body.js';
import { bytes, route, type Call, type Route } from '../../http/route.js';
import { IdParameter, named } from '../../schemas/parts.js';
import type { QueryService } from '../service.js';

/** Queries that were kept with `saveAsKind`. */

const HistoryQuery = named(
  'HistoryQuery',
  Type.Object({
    id: Type.String(),
    kind: Type.String({ description: '`apl`, `analytics` or `stream`.' }),
    created: Type.String({ format: 'date-time' }),
    dataset: Type.String(),
    who: Type.String({ description: 'Id of the user whose token ran it.' }),
    query: Type.Unknown({ description: 'The body of the request.' }),
  }),
);

/** Keeps the query of a request that asks for it, and gives the header that names it in the answer. */
export function historyHeader(
  {
    query,
    body,
    principal,
  }: Pick<Call, 'principal'> & { readonly query: { readonly saveAsKind?: string }; readonly body: unknown },
  dataset: string | undefined,
  { history }: QueryService,
): Record<string, string> {
  const kind = query.saveAsKind ?? '';
  if (kind === '' || principal.kind === 'anonymous') return {};
  return {
    'x-axiom-history-query-id': history.add(principal, { kind, dataset: dataset ?? '', query: writeJson(body) }),
  };
}

export function historyRoutes({ history }: QueryService): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/datasets/_history/{id}',
      operation: 'getHistoryQuery',
      tag: 'Query',
      summary: 'A query that was kept with `saveAsKind`',
      description: 'Each token keeps its last ones until it is deleted; who ran a query sees it.',
      need: { scope: 'query' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The query.', schema: HistoryQuery } },
      errors: ['not-found'],
      examples: [{ summary: 'One query', params: { id: '0b51a0a7-6a1f-4f1d-9d53-0d7a3f2f4b3e' } }],
      handle: ({ params: { id }, principal }) => {
        const found = history.find(id, principal);
        if (found === undefined) throw httpError('not-found', { kind: 'query', name: id });
        const { query, ...entry } = found;
        return bytes(`${JSON.stringify(entry).slice(0, -1)},"query":${query}}`, 'application/json; charset=utf-8');
      },
    }),
  ];
}
