import { storedName } from '@millrace/events';
import { Type } from 'typebox';
import type { Principal } from '../access/allowed.js';
import { httpError } from '../errors.js';
import { IdParameter } from '../schemas/parts.js';
import { VirtualField, WriteVirtualField } from '../schemas/query-resources.js';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '../http/route.js';

const tag = 'Virtual fields';
const params = { id: 'vfield_5f2b7c1e9a4d3b6c8e0f1a2b' };
const example = {
  dataset: 'http-logs',
  name: 'failed',
  expression: 'status >= 500',
  description: 'Our fault',
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

  return [
    route({
      method: 'GET',
      path: '/v2/vfields',
      operation: 'listVirtualFields',
      tag,
      summary: 'Virtual fields of a dataset',
      need: { scope: 'dataset', resource: 'virtualFields', action: 'read' },
      request: { query: Filter },
      responses: { 200: { description: 'Oldest first.', schema: Type.Array(VirtualField) } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'Of one dataset', query: { dataset: 'http-logs' } }],
      handle: async ({ query: { dataset }, require }) => {
        require(needOf('read', dataset));
        return json(await virtualFields.ofDataset(datasets.get(dataset).datasetId));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/vfields',
      operation: 'createVirtualField',
      tag,
      summary: 'Create a virtual field',
      need: { scope: 'dataset', resource: 'virtualFields', action: 'create' },
      request: { body: WriteVirtualField },
      responses: { 200: { description: 'The new virtual field.', schema: VirtualField } },
      errors: ['dataset-not-found', 'already-exists', 'invalid-query'],
      examples: [{ summary: 'Failed requests', body: example }],
      handle: async ({ body, require, principal }) => {
        require(needOf('create', body.dataset));
        await check(body, principal);
        return json(await virtualFields.create(body));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/vfields/{id}',
      operation: 'getVirtualField',
      tag,
      summary: 'Get a virtual field',
      need: { scope: 'dataset', resource: 'virtualFields', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The virtual field.', schema: VirtualField } },
      errors: ['not-found'],
      examples: [{ summary: 'One virtual field', params }],
      handle: async ({ params: { id }, require }) => {
        const found = await virtualFields.get(id);
        require(needOf('read', found.dataset));
        return json(found);
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/vfields/{id}',
      operation: 'updateVirtualField',
      tag,
      summary: 'Replace a virtual field',
      need: { scope: 'dataset', resource: 'virtualFields', action: 'update' },
      request: { params: IdParameter, body: WriteVirtualField },
      responses: { 200: { description: 'The virtual field as it is now.', schema: VirtualField } },
      errors: ['not-found', 'dataset-not-found', 'already-exists', 'invalid-query'],
      examples: [{ summary: 'Another expression', params, body: { ...example, expression: 'status >= 400' } }],
      handle: async ({ params: { id }, body, require, principal }) => {
        const replaced = (present: VirtualField): VirtualField => {
          require(needOf('update', present.dataset));
          if (body.dataset !== present.dataset) require(needOf('create', body.dataset));
          return { ...body, id };
        };
        replaced(await virtualFields.get(id));
        await check(body, principal);
        const changed = await virtualFields.update(id, replaced);
        return json(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/vfields/{id}',
      operation: 'deleteVirtualField',
      tag,
      summary: 'Delete a virtual field',
      need: { scope: 'dataset', resource: 'virtualFields', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { id }, require }) => {
        require(needOf('delete', (await virtualFields.get(id)).dataset));
        await virtualFields.delete(id);
        return empty();
      },
    }),
  ];
}

/** Time ranges, orders and cursors rely on the system's fields; a computed field in their place would break every query. */
function checkName(name: string): void {
  if (name !== '_time' && storedName(name) === name) return;
  throw httpError('invalid-request', {
    problem: `'${name}' cannot be the name of a virtual field: it is a field of the system; choose another name`,
  });
}
