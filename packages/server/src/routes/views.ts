import { Type } from 'typebox';
import { IdParameter } from '../schemas/parts.js';
import { View, WriteView } from '../schemas/query-resources.js';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '../http/route.js';

const tag = 'Views';
const params = { id: 'view_5f2b7c1e9a4d3b6c8e0f1a2b' };
const example = {
  name: 'failures',
  aplQuery: "['http-logs'] | where status >= 500",
  datasets: ['http-logs'],
  description: 'Failed requests',
};

const viewFrom = ({ name, aplQuery, datasets = [], description = '' }: WriteView): Omit<View, 'id'> => ({
  name,
  aplQuery,
  datasets,
  description,
});

/** Queries that other queries use like datasets. The creator of a view needs rights on the datasets it reads; those who query it do not. */
export function viewRoutes({ metadata: { views }, checks }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/views',
      operation: 'listViews',
      tag,
      summary: 'List views',
      need: { scope: 'org', resource: 'views', action: 'read' },
      request: {},
      responses: { 200: { description: 'All views, oldest first.', schema: Type.Array(View) } },
      examples: [{ summary: 'All views' }],
      handle: async () => json(await views.list()),
    }),
    route({
      method: 'POST',
      path: '/v2/views',
      operation: 'createView',
      tag,
      summary: 'Create a view',
      need: { scope: 'org', resource: 'views', action: 'create' },
      request: { body: WriteView },
      responses: { 200: { description: 'The new view.', schema: View } },
      errors: ['already-exists', 'invalid-query'],
      examples: [{ summary: 'Failed requests', body: example }],
      handle: async ({ body, principal }) => {
        await checks.view(body, principal);
        return json(await views.create(viewFrom(body)));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/views/{id}',
      operation: 'getView',
      tag,
      summary: 'Get a view',
      need: { scope: 'org', resource: 'views', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The view.', schema: View } },
      errors: ['not-found'],
      examples: [{ summary: 'One view', params }],
      handle: async ({ params: { id } }) => json(await views.get(id)),
    }),
    route({
      method: 'PUT',
      path: '/v2/views/{id}',
      operation: 'updateView',
      tag,
      summary: 'Replace a view',
      description: 'If its name changes, rights that tokens and roles were given on it by the old name are gone.',
      need: { scope: 'org', resource: 'views', action: 'update' },
      request: { params: IdParameter, body: WriteView },
      responses: { 200: { description: 'The view as it is now.', schema: View } },
      errors: ['not-found', 'already-exists', 'invalid-query'],
      examples: [
        { summary: 'Another query', params, body: { ...example, aplQuery: "['http-logs'] | where status >= 400" } },
      ],
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        await checks.view(body, principal);
        return json(await views.update(id, () => ({ ...viewFrom(body), id })));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/views/{id}',
      operation: 'deleteView',
      tag,
      summary: 'Delete a view',
      description: 'Rights that tokens and roles were given on it by its name are deleted with it.',
      need: { scope: 'org', resource: 'views', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      changesRights: true,
      handle: async ({ params: { id } }) => {
        await views.delete(id);
        return empty();
      },
    }),
  ];
}
