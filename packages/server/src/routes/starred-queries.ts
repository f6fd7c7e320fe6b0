import { Type } from 'typebox';
import type { Principal } from '@millrace/http/access/authorize';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import { timestamp } from '@millrace/metadata/clock';
import type { RequestContext, Route } from '@millrace/http/route';
import { optional, Page } from '@millrace/api/schemas/parts';
import { StarredQuery, WriteStarredQuery } from '@millrace/api/schemas/query-resources';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const example = {
  kind: 'apl',
  dataset: 'http-logs',
  name: 'Failures',
  query: { apl: "['http-logs'] | where status >= 500" },
  metadata: {},
};

/** Owner of queries that are saved for all users. */
const team = 'team';

const Filter = Type.Object({
  ...Page,
  dataset: optional(Type.String({ description: 'Only queries of this dataset.' })),
  who: optional(
    Type.String({
      description: 'Owner: a user ID, `team` for all owners except you, or `all`. Default: you.',
    }),
  ),
  qs: optional(Type.String({ description: 'Only queries with this text in their name or text.' })),
});

/** Owner of a principal's saved queries: an API token itself, a personal token's user. */
const ownerOf = (principal: Principal): string =>
  principal.kind === 'api-token' ? principal.tokenId : userIdOf(principal);

type Action = 'create' | 'read' | 'update' | 'delete';

export function starredQueryRoutes({ metadata: { starredQueries, users }, clock }: Deps): readonly Route[] {
  const needOf = (action: Action, dataset: string) =>
    ({ scope: 'dataset', resource: 'starredQueries', action, ...(dataset === '' ? {} : { name: dataset }) }) as const;

  /** @param present current owner, and the default */
  const queryFrom = (body: WriteStarredQuery, principal: Principal, present = ownerOf(principal)) => {
    const { dataset = '', name, query, metadata = {}, who = '' } = body;
    if (typeof query.apl !== 'string')
      throw httpError('invalid-request', { problem: "body 'query.apl' must be the text of a query" });
    if (!['', team, ownerOf(principal)].includes(who))
      throw httpError('invalid-request', {
        problem: `body 'who' must be your own ${principal.kind === 'api-token' ? 'token' : 'user'} id or '${team}': queries cannot be saved for another user`,
      });
    // Axiom's MCP server reads no saved query at all if one has no options.
    const kept = { ...query, queryOptions: query.queryOptions ?? {} };
    return { kind: 'apl' as const, dataset, name, query: kept, metadata, who: who === '' ? present : who };
  };

  /**
   * A query without a dataset could be about any: only its owner reads it, unless it is the team's.
   * An API token reads no others.
   */
  const isReadable = ({ dataset, who }: StarredQuery, principal: Principal): boolean =>
    who === ownerOf(principal) || who === team || (dataset !== '' && principal.kind !== 'api-token');

  /**
   * Other users' queries are read-only as long as these users exist. An API token changes only its
   * own queries.
   */
  const isOthers = async ({ who }: StarredQuery, principal: Principal): Promise<boolean> =>
    who !== ownerOf(principal) &&
    (principal.kind === 'api-token' || (who !== team && (await users.find(who)) !== undefined));
  const othersQuery = () => httpError('protected-resource', { reason: 'it is another user’s query' });

  const filterChosen = (
    who: string | undefined,
    { principal, require }: Pick<RequestContext, 'principal' | 'require'>,
  ) => {
    const own = ownerOf(principal);
    if (who === 'all') return () => true;
    if (who === team) return (query: StarredQuery) => query.who !== own;
    if (who !== undefined && who !== own) require({ scope: 'org', resource: 'users', action: 'read' });
    return (query: StarredQuery) => query.who === (who ?? own);
  };

  return collectionRoutes({
    tag: 'Saved queries',
    path: '/v2/apl-starred-queries',
    operations: { one: 'StarredQuery', many: 'StarredQueries' },
    nouns: { one: 'saved query', many: 'saved queries' },
    schema: StarredQuery,
    need: (action) => ({ scope: 'dataset', resource: 'starredQueries', action }),
    id: 'star_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      query: Filter,
      found: 'Matching queries, oldest first.',
      example: { summary: 'All users’ queries', query: { who: 'all' } },
      handle: async ({ query: { limit = 100, offset = 0, dataset, who, qs }, principal, require, may }) => {
        const byOwner = filterChosen(who, { principal, require });
        const fits = (query: StarredQuery): boolean =>
          byOwner(query) &&
          isReadable(query, principal) &&
          may(needOf('read', query.dataset)) &&
          (dataset === undefined || query.dataset === dataset) &&
          (qs === undefined || `${query.name}\n${String(query.query.apl)}`.toLowerCase().includes(qs.toLowerCase()));
        return starredQueries.page(fits, { limit, offset });
      },
    },
    create: {
      summary: 'Save a query',
      body: WriteStarredQuery,
      made: 'The saved query.',
      example: { summary: 'Save', body: example },
      handle: async ({ body, principal, require }) => {
        const query = queryFrom(body, principal);
        require(needOf('create', query.dataset));
        return starredQueries.create({ ...query, created: timestamp(clock) });
      },
    },
    get: {
      example: { summary: 'One query' },
      handle: async ({ params: { id }, principal, require }) => {
        const found = await starredQueries.get(id);
        require(needOf('read', found.dataset));
        if (!isReadable(found, principal)) throw httpError('not-found', { kind: 'saved query', name: id });
        return found;
      },
    },
    update: {
      description: 'Your own query, a query of the team, or a query of a removed user.',
      body: WriteStarredQuery,
      errors: ['protected-resource'],
      example: { summary: 'Rename', body: { ...example, name: 'Server failures' } },
      handle: async ({ params: { id }, body, principal, require }) => {
        const isTheirs = await isOthers(await starredQueries.get(id), principal);
        return starredQueries.update(id, (present) => {
          require(needOf('update', present.dataset));
          if (isTheirs) throw othersQuery();
          const next = queryFrom(body, principal, present.who);
          if (next.dataset !== present.dataset) require(needOf('create', next.dataset));
          return { id, ...next, created: present.created };
        });
      },
    },
    delete: {
      description: 'Your own query, a query of the team, or a query of a removed user.',
      errors: ['protected-resource'],
      handle: async ({ params: { id }, principal, require }) => {
        const found = await starredQueries.get(id);
        require(needOf('delete', found.dataset));
        if (await isOthers(found, principal)) throw othersQuery();
        await starredQueries.delete(id);
      },
    },
  });
}
