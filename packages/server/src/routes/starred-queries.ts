import { Type } from 'typebox';
import type { Principal } from '../access/allowed.js';
import { httpError } from '../errors.js';
import { timestamp } from '../metadata/clock.js';
import { IdParameter, optional, Page } from '../schemas/parts.js';
import { StarredQuery, WriteStarredQuery } from '../schemas/query-resources.js';
import type { Deps } from './deps.js';
import { type Call, empty, json, route, type Route } from '../http/route.js';
import { userIdOf } from './tokens.js';

const tag = 'Saved queries';
const params = { id: 'star_5f2b7c1e9a4d3b6c8e0f1a2b' };
const example = {
  kind: 'apl',
  dataset: 'http-logs',
  name: 'Failures',
  query: { apl: "['http-logs'] | where status >= 500" },
  metadata: {},
};

/** Owner of queries that are saved for everybody rather than for one user. */
const team = 'team';

const Filter = Type.Object({
  ...Page,
  dataset: optional(Type.String({ description: 'Only those about this dataset.' })),
  who: optional(
    Type.String({
      description:
        'Whose queries: your own if left out; those of a user id; `team` for those of everybody else; `all`.',
    }),
  ),
  qs: optional(Type.String({ description: 'Only those with this text in the name or the query.' })),
});

type Action = 'create' | 'read' | 'update' | 'delete';

export function starredQueryRoutes({ metadata: { starredQueries }, clock }: Deps): readonly Route[] {
  const needOf = (action: Action, dataset: string) =>
    ({ scope: 'dataset', resource: 'starredQueries', action, ...(dataset === '' ? {} : { name: dataset }) }) as const;

  /** @param present whose it is now, and stays if the body does not say */
  const queryFrom = (body: WriteStarredQuery, principal: Principal, present = userIdOf(principal)) => {
    const { dataset = '', name, query, metadata = {}, who = '' } = body;
    if (typeof query.apl !== 'string')
      throw httpError('invalid-request', { problem: "body 'query.apl' must be the text of a query" });
    if (!['', team, userIdOf(principal)].includes(who))
      throw httpError('invalid-request', {
        problem: `body 'who' must be your own user id or '${team}': nobody saves queries for another user`,
      });
    return { kind: 'apl' as const, dataset, name, query, metadata, who: who === '' ? present : who };
  };

  /** Other users' queries can be read but not changed. */
  const checkOwner = ({ who }: StarredQuery, principal: Principal): void => {
    if (who !== team && who !== userIdOf(principal))
      throw httpError('protected-resource', { reason: 'it is another user’s query' });
  };

  const chosen = (who: string | undefined, { principal, require }: Pick<Call, 'principal' | 'require'>) => {
    const own = userIdOf(principal);
    if (who === 'all') return () => true;
    if (who === team) return (query: StarredQuery) => query.who !== own;
    if (who !== undefined && who !== own) require({ scope: 'org', resource: 'users', action: 'read' });
    return (query: StarredQuery) => query.who === (who ?? own);
  };

  return [
    route({
      method: 'GET',
      path: '/v2/apl-starred-queries',
      operation: 'listStarredQueries',
      tag,
      summary: 'List saved queries',
      need: { scope: 'dataset', resource: 'starredQueries', action: 'read' },
      request: { query: Filter },
      responses: { 200: { description: 'Those that fit, oldest first.', schema: Type.Array(StarredQuery) } },
      examples: [{ summary: 'Everybody’s', query: { who: 'all' } }],
      handle: async ({ query: { limit = 100, offset = 0, dataset, who, qs }, principal, require, may }) => {
        const byOwner = chosen(who, { principal, require });
        const fits = (query: StarredQuery): boolean =>
          byOwner(query) &&
          may(needOf('read', query.dataset)) &&
          (dataset === undefined || query.dataset === dataset) &&
          (qs === undefined || `${query.name}\n${String(query.query.apl)}`.toLowerCase().includes(qs.toLowerCase()));
        return json((await starredQueries.list()).filter(fits).slice(offset, offset + limit));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/apl-starred-queries',
      operation: 'createStarredQuery',
      tag,
      summary: 'Save a query',
      need: { scope: 'dataset', resource: 'starredQueries', action: 'create' },
      request: { body: WriteStarredQuery },
      responses: { 200: { description: 'The saved query.', schema: StarredQuery } },
      examples: [{ summary: 'Save', body: example }],
      handle: async ({ body, principal, require }) => {
        const query = queryFrom(body, principal);
        require(needOf('create', query.dataset));
        return json(await starredQueries.create({ ...query, created: timestamp(clock) }));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/apl-starred-queries/{id}',
      operation: 'getStarredQuery',
      tag,
      summary: 'Get a saved query',
      need: { scope: 'dataset', resource: 'starredQueries', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The saved query.', schema: StarredQuery } },
      errors: ['not-found'],
      examples: [{ summary: 'One query', params }],
      handle: async ({ params: { id }, require }) => {
        const found = await starredQueries.get(id);
        require(needOf('read', found.dataset));
        return json(found);
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/apl-starred-queries/{id}',
      operation: 'updateStarredQuery',
      tag,
      summary: 'Replace a saved query',
      description: 'Your own, or one of the team.',
      need: { scope: 'dataset', resource: 'starredQueries', action: 'update' },
      request: { params: IdParameter, body: WriteStarredQuery },
      responses: { 200: { description: 'The saved query as it is now.', schema: StarredQuery } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Rename', params, body: { ...example, name: 'Server failures' } }],
      handle: async ({ params: { id }, body, principal, require }) => {
        const changed = await starredQueries.update(id, (present) => {
          require(needOf('update', present.dataset));
          checkOwner(present, principal);
          const next = queryFrom(body, principal, present.who);
          if (next.dataset !== present.dataset) require(needOf('create', next.dataset));
          return { id, ...next, created: present.created };
        });
        return json(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/apl-starred-queries/{id}',
      operation: 'deleteStarredQuery',
      tag,
      summary: 'Delete a saved query',
      description: 'Your own, or one of the team.',
      need: { scope: 'dataset', resource: 'starredQueries', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { id }, principal, require }) => {
        const found = await starredQueries.get(id);
        require(needOf('delete', found.dataset));
        checkOwner(found, principal);
        await starredQueries.delete(id);
        return empty();
      },
    }),
  ];
}
