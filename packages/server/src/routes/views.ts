import type { Route } from '../http/route.js';
import { View, WriteView } from '../schemas/query-resources.js';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

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

/**
 * Queries that other queries use like datasets. The creator of a view needs rights on the datasets
 * it reads; those who query it do not.
 */
export const viewRoutes = ({ metadata: { views }, checks }: Deps): readonly Route[] =>
  collectionRoutes({
    tag: 'Views',
    path: '/v2/views',
    operations: { one: 'View', many: 'Views' },
    nouns: { one: 'view', many: 'views' },
    schema: View,
    need: (action) => ({ scope: 'org', resource: 'views', action }),
    id: 'view_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      found: 'All views, oldest first.',
      example: { summary: 'All views' },
      handle: () => views.list(),
    },
    create: {
      body: WriteView,
      errors: ['already-exists', 'invalid-query'],
      example: { summary: 'Failed requests', body: example },
      changesRights: true,
      handle: async ({ body, principal }) => {
        const view = viewFrom(body);
        // A view that has the name of what it reads would seem to read itself.
        await views.requireFree(view);
        await checks.view(body, principal);
        return views.create(view);
      },
    },
    get: { handle: ({ params: { id } }) => views.get(id) },
    update: {
      description: 'If its name changes, rights that tokens and roles were given on it by the old name are gone.',
      body: WriteView,
      errors: ['already-exists', 'invalid-query'],
      example: { summary: 'Another query', body: { ...example, aplQuery: "['http-logs'] | where status >= 400" } },
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        const view = viewFrom(body);
        await views.get(id);
        await views.requireFree(view, id);
        await checks.view(body, principal);
        return views.update(id, () => ({ ...view, id }));
      },
    },
    delete: {
      description: 'Rights that tokens and roles were given on it by its name are deleted with it.',
      changesRights: true,
      handle: ({ params: { id } }) => views.delete(id),
    },
  });
