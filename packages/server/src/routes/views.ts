import type { Route } from '@millrace/http/route';
import { View, WriteView } from '@millrace/api/schemas/query-resources';
import { refuseReservedName } from '@millrace/metadata/dataset-names';
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
 * it reads; its users do not.
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
        // A view with the name of its source would seem to be recursive.
        refuseReservedName('view', view.name);
        await views.requireFree(view);
        await checks.view(body, principal);
        return views.create(view);
      },
    },
    get: { handle: ({ params: { id } }) => views.get(id) },
    update: {
      description: 'If its name changes, rights of tokens and roles on the old name are removed.',
      body: WriteView,
      errors: ['already-exists', 'invalid-query'],
      example: { summary: 'Another query', body: { ...example, aplQuery: "['http-logs'] | where status >= 400" } },
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        const view = viewFrom(body);
        if ((await views.get(id)).name !== view.name) refuseReservedName('view', view.name);
        await views.requireFree(view, id);
        await checks.view(body, principal);
        return views.update(id, () => ({ ...view, id }));
      },
    },
    delete: {
      description: 'Deletes the rights of tokens and roles on its name, too.',
      changesRights: true,
      handle: ({ params: { id } }) => views.delete(id),
    },
  });
