import { storedName } from '@millrace/events';
import { Type } from 'typebox';
import type { Principal } from '@millrace/http/access/authorize';
import { httpError } from '@millrace/api/errors';
import type { Route } from '@millrace/http/route';
import { VirtualField, WriteVirtualField } from '@millrace/api/schemas/query-resources';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const example = {
  dataset: 'http-logs',
  name: 'failed',
  expression: 'status >= 500',
  description: 'Server errors',
  type: 'boolean',
};
const Filter = Type.Object({ dataset: Type.String({ minLength: 1, description: 'Name of the dataset.' }) });

/** Expressions that queries use like fields. The fields they read may not exist yet. */
export function virtualFieldRoutes({ metadata: { virtualFields, datasets }, checks }: Deps): readonly Route[] {
  const needOf = (action: 'create' | 'read' | 'update' | 'delete', name: string) =>
    ({ scope: 'dataset', resource: 'virtualFields', action, name }) as const;
  const check = async (field: WriteVirtualField, principal: Principal): Promise<void> => {
    checkName(field.name);
    await checks.expression({ ...field, dataset: datasets.get(field.dataset).name }, principal);
  };

  return collectionRoutes({
    tag: 'Virtual fields',
    path: '/v2/vfields',
    operations: { one: 'VirtualField', many: 'VirtualFields' },
    nouns: { one: 'virtual field', many: 'virtual fields' },
    schema: VirtualField,
    need: (action) => ({ scope: 'dataset', resource: 'virtualFields', action }),
    id: 'vfield_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      summary: 'List the virtual fields of a dataset',
      query: Filter,
      found: 'Oldest first.',
      errors: ['dataset-not-found'],
      example: { summary: 'Of one dataset', query: { dataset: 'http-logs' } },
      handle: async ({ query: { dataset }, require }) => {
        require(needOf('read', dataset));
        return virtualFields.ofDataset(datasets.get(dataset).datasetId);
      },
    },
    create: {
      body: WriteVirtualField,
      errors: ['dataset-not-found', 'already-exists', 'invalid-query'],
      example: { summary: 'Failed requests', body: example },
      handle: async ({ body, require, principal }) => {
        require(needOf('create', body.dataset));
        await check(body, principal);
        return virtualFields.create(body);
      },
    },
    get: {
      handle: async ({ params: { id }, require }) => {
        const found = await virtualFields.get(id);
        require(needOf('read', found.dataset));
        return found;
      },
    },
    update: {
      body: WriteVirtualField,
      errors: ['dataset-not-found', 'already-exists', 'invalid-query'],
      example: { summary: 'Another expression', body: { ...example, expression: 'status >= 400' } },
      handle: async ({ params: { id }, body, require, principal }) => {
        const replacementOf = (present: VirtualField): VirtualField => {
          require(needOf('update', present.dataset));
          if (body.dataset !== present.dataset) require(needOf('create', body.dataset));
          return { ...body, id };
        };
        replacementOf(await virtualFields.get(id));
        await check(body, principal);
        return virtualFields.update(id, replacementOf);
      },
    },
    delete: {
      handle: async ({ params: { id }, require }) => {
        require(needOf('delete', (await virtualFields.get(id)).dataset));
        await virtualFields.delete(id);
      },
    },
  });
}

/**
 * Time ranges, orders and cursors rely on the system's fields; a virtual field that replaced one
 * would break every query.
 */
function checkName(name: string): void {
  if (name !== '_time' && storedName(name) === name) return;
  throw httpError('invalid-request', {
    problem: `'${name}' cannot be the name of a virtual field: it is a field of the system; choose another name`,
  });
}
