import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { empty, json, route, type RequestContext, type Route } from '@millrace/http/route';
import { IdParameter, withTitle, oneOf, optional } from '@millrace/api/schemas/parts';
import { isOwnedBy, type Job } from '../schedule/jobs.js';
import { type Progress, progressIn } from '../run/progress.js';
import type { QueryService } from '../service.js';

/** List queued and running queries: who may see them, and how one is stopped. */

const RunningQuery = withTitle(
  'RunningQuery',
  Type.Object({
    id: Type.String({
      description: 'Trace ID of the request; the other queries of a batch have a number appended.',
    }),
    kind: oneOf(['apl', 'mpl', 'promql', 'logql', 'structured', 'export', 'tail']),
    query: Type.String({ description: 'The APL, MPL, PromQL or LogQL, or the body of a structured query.' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running')]),
    started: Type.String({ format: 'date-time' }),
    elapsedMilliseconds: Type.Integer(),
    tokenId: Type.String(),
    userId: Type.String(),
    rowsRead: optional(
      Type.Integer({
        description:
          'Rows read so far by the running statements; absent if none is running, or the engine is too busy to report it.',
      }),
    ),
    bytesRead: optional(Type.Integer()),
    rowsTotal: optional(
      Type.Integer({ description: 'Rows that these statements read in total, as currently estimated.' }),
    ),
  }),
);

/** A query that has just begun has no progress yet, so the engine is not queried. */
const tellingMilliseconds = 500;

const jobRecord = ({ id, kind, text, state, started, owner }: Job, progress: Progress | undefined) => ({
  id,
  kind,
  query: text,
  state,
  started: new Date(started).toISOString(),
  elapsedMilliseconds: Date.now() - started,
  tokenId: owner.tokenId,
  userId: owner.userId,
  ...progress,
});

const isOwn = ({ principal }: Pick<RequestContext, 'principal'>, { owner }: Job): boolean =>
  isOwnedBy(owner, principal);

/** The text of a query can contain data that only auditors may read. */
const maySee = (call: Pick<RequestContext, 'principal' | 'may'>, job: Job): boolean =>
  isOwn(call, job) || call.may({ scope: 'org', resource: 'auditLog', action: 'read' });

export function jobRoutes({ jobs, engine }: QueryService): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/queries',
      operation: 'listQueries',
      tag: 'Query',
      summary: 'List queued and running queries',
      description:
        'Queries of the token; for a personal token, of all tokens of its user; with the organization capability auditLog:read, all queries.',
      need: { scope: 'query' },
      request: {},
      responses: { 200: { description: 'Oldest first.', schema: Type.Array(RunningQuery) } },
      examples: [{ summary: 'All queries' }],
      handle: async (call) => {
        const seen = jobs.list().filter((job) => maySee(call, job));
        const isOverdue = seen.some(({ started }) => Date.now() - started > tellingMilliseconds);
        const progress = isOverdue ? await progressIn(engine) : undefined;
        return json(seen.map((job) => jobRecord(job, progress?.get(job.id))));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/queries/{id}',
      operation: 'stopQuery',
      tag: 'Query',
      summary: 'Stop a query',
      description:
        'Your own queries, or any query with the organization capability apiTokens:update. The request of the query gets 409. If it is part of a batch, all queries of the batch stop.',
      need: { scope: 'query' },
      request: { params: IdParameter },
      responses: { 204: { description: 'Query is stopping.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Stop', params: { id: '5f2b7c1e9a4d3b6c8e0f1a2b3c4d5e6f' } }],
      handle: (call) => {
        const { id } = call.params;
        const job = jobs.find(id);
        if (job === undefined || !maySee(call, job)) throw httpError('not-found', { kind: 'query', name: id });
        if (!isOwn(call, job)) call.require({ scope: 'org', resource: 'apiTokens', action: 'update' });
        jobs.stop(id);
        return empty();
      },
    }),
  ];
}
