import { Type } from 'typebox';
import { httpError } from '../../errors.js';
import { empty, json, route, type Call, type Route } from '../../http/route.js';
import { IdParameter, named, oneOf, optional } from '../../schemas/parts.js';
import { isOwnedBy, type Job } from '../run/jobs.js';
import { type Progress, progressIn } from '../run/progress.js';
import type { QueryService } from '../service.js';

/** Queries that wait or run: who may see them, and how one is stopped. */

const RunningQuery = named(
  'RunningQuery',
  Type.Object({
    id: Type.String({
      description: 'Trace id of its request; those that run beside it in a batch have a number behind.',
    }),
    kind: oneOf(['apl', 'structured', 'export', 'tail']),
    query: Type.String({ description: 'The APL, or the body of a structured query.' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running')]),
    started: Type.String({ format: 'date-time' }),
    elapsedMilliseconds: Type.Integer(),
    tokenId: Type.String(),
    userId: Type.String(),
    rowsRead: optional(
      Type.Integer({
        description:
          'By its statements that run at the moment; absent if none runs, or the engine is too busy to tell.',
      }),
    ),
    bytesRead: optional(Type.Integer()),
    rowsTotal: optional(
      Type.Integer({ description: 'How many rows those statements read altogether, as far as it is known by now.' }),
    ),
  }),
);

/** A query that has just begun has nothing to tell, and the engine need not be asked. */
const tellingMilliseconds = 500;

const shown = ({ id, kind, text, state, started, owner }: Job, progress: Progress | undefined) => ({
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

const isOwn = ({ principal }: Pick<Call, 'principal'>, { owner }: Job): boolean => isOwnedBy(owner, principal);

/** The text of a query can contain what only auditors should read. */
const maySee = (call: Pick<Call, 'principal' | 'may'>, job: Job): boolean =>
  isOwn(call, job) || call.may({ scope: 'org', resource: 'auditLog', action: 'read' });

export function jobRoutes({ jobs, engine }: QueryService): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/queries',
      operation: 'listQueries',
      tag: 'Query',
      summary: 'Queries that wait or run',
      description:
        'Those of the token; for a personal token also those of all tokens of its user; with the organisation capability auditLog:read all of them.',
      need: { scope: 'query' },
      request: {},
      responses: { 200: { description: 'Oldest first.', schema: Type.Array(RunningQuery) } },
      examples: [{ summary: 'All queries' }],
      handle: async (call) => {
        const seen = jobs.list().filter((job) => maySee(call, job));
        const isAsked = seen.some(({ started }) => Date.now() - started > tellingMilliseconds);
        const progress = isAsked ? await progressIn(engine) : undefined;
        return json(seen.map((job) => shown(job, progress?.get(job.id))));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/queries/{id}',
      operation: 'stopQuery',
      tag: 'Query',
      summary: 'Stop a query',
      description:
        'One of your own, or any with the organisation capability apiTokens:update. Its request answers 409; if it is part of a batch, all queries of the batch stop.',
      need: { scope: 'query' },
      request: { params: IdParameter },
      responses: { 204: { description: 'It is being stopped.' } },
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
