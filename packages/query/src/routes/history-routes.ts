import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { writeJson } from '@millrace/http/body/json-body';
import { bytes, route, type RequestContext, type Route } from '@millrace/http/route';
import { IdParameter, withTitle, oneOf, optional } from '@millrace/api/schemas/parts';
import { historyKinds } from '../compile/history-kinds.js';
import type { HistoryEntry } from '../history.js';
import type { QueryService } from '../service.js';

/** List query history. */

const HistoryQuery = withTitle(
  'HistoryQuery',
  Type.Object({
    id: Type.String(),
    kind: Type.String({ description: '`apl`, `analytics` or `stream`.' }),
    created: Type.String({ format: 'date-time' }),
    dataset: Type.String(),
    who: Type.String({ description: 'ID of the user whose token ran it.' }),
    query: Type.Unknown({ description: 'The body of the request.' }),
  }),
);

/** Records the query of a request that asks for it, and returns the response header with its ID. */
export function historyHeader(
  {
    query,
    body,
    principal,
  }: Pick<RequestContext, 'principal'> & { readonly query: { readonly saveAsKind?: string }; readonly body: unknown },
  dataset: string | undefined,
  { history }: QueryService,
): Record<string, string> {
  const kind = query.saveAsKind ?? '';
  if (kind === '' || principal.kind === 'anonymous') return {};
  return {
    'x-axiom-history-query-id': history.add(principal, { kind, dataset: dataset ?? '', query: writeJson(body) }),
  };
}

const HistoryList = Type.Object({
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum queries to return.' })),
  before: optional(Type.String({ description: 'ID of a query; returns queries that ran before it.' })),
  kind: optional(oneOf(historyKinds)),
  dataset: optional(Type.String()),
  qs: optional(Type.String({ description: 'Text that the query contains, case-insensitive.' })),
});

/**
 * Entries contain the bodies of their requests verbatim: their numbers may exceed the precision of
 * JavaScript's.
 */
function writeEntry({ query, ...entry }: HistoryEntry): string {
  return `${JSON.stringify(entry).slice(0, -1)},"query":${query}}`;
}

export function historyRoutes({ history }: QueryService): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/datasets/_history',
      operation: 'listHistory',
      tag: 'Query',
      summary: 'List query history',
      description: 'Queries of the token; for a personal token, of all tokens of its user.',
      need: { scope: 'query' },
      request: { query: HistoryList },
      responses: { 200: { description: 'Newest first.', schema: Type.Array(HistoryQuery) } },
      errors: ['not-found'],
      examples: [{ summary: 'The last ten', query: { limit: '10', kind: 'apl' } }],
      handle: ({ query: { limit = 100, before, kind, dataset, qs }, principal }) => {
        const text = qs?.toLowerCase();
        if (before !== undefined && history.find(before, principal) === undefined)
          throw httpError('not-found', { kind: 'query', name: before });
        const fits = (entry: HistoryEntry): boolean =>
          (kind === undefined || entry.kind === kind) &&
          (dataset === undefined || entry.dataset === dataset) &&
          (text === undefined || entry.query.toLowerCase().includes(text));
        const shown = history.list(principal, { fits, limit, before }).map(writeEntry);
        return bytes(`[${shown.join(',')}]`, 'application/json; charset=utf-8');
      },
    }),
    route({
      method: 'GET',
      path: '/v1/datasets/_history/{id}',
      operation: 'getHistoryQuery',
      tag: 'Query',
      summary: 'Get a query from the history',
      description: 'The last queries of each token, until the token is deleted. Only the user who ran a query sees it.',
      need: { scope: 'query' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The query.', schema: HistoryQuery } },
      errors: ['not-found'],
      examples: [{ summary: 'One query', params: { id: '0b51a0a7-6a1f-4f1d-9d53-0d7a3f2f4b3e' } }],
      handle: ({ params: { id }, principal }) => {
        const found = history.find(id, principal);
        if (found === undefined) throw httpError('not-found', { kind: 'query', name: id });
        return bytes(writeEntry(found), 'application/json; charset=utf-8');
      },
    }),
  ];
}
