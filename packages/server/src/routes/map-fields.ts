import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { checkMapFieldName, refuseAudit } from '@millrace/metadata/dataset-names';
import { DatasetParameter, type DeclaredField, MapField, MapFields } from '@millrace/api/schemas/dataset';
import { firstRepeated } from '@millrace/api/schemas/find-duplicate';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '@millrace/http/route';

const tag = 'Map fields';
const Parameters = Type.Object({
  ...DatasetParameter.properties,
  name: Type.String({ minLength: 1, description: 'Full name of the map field.' }),
});
const params = { id: 'http-logs' };

/** Map fields, which store objects in one column. A change applies to later events. */
export function mapFieldRoutes({ metadata: { datasets } }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/datasets/{id}/mapfields',
      operation: 'listMapFields',
      tag,
      summary: 'List the map fields of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'read' },
      request: { params: DatasetParameter },
      responses: { 200: { description: 'Their names.', schema: MapFields } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'All map fields', params, answer: ['attributes.custom'] }],
      handle: ({ params: { id } }) => json(datasets.get(id).mapFields),
    }),
    route({
      method: 'PUT',
      path: '/v2/datasets/{id}/mapfields',
      operation: 'updateMapFields',
      tag,
      summary: 'Replace the map fields of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: DatasetParameter, body: MapFields },
      responses: { 200: { description: 'Their names as they are now.', schema: MapFields } },
      errors: ['dataset-not-found', 'protected-resource'],
      examples: [{ summary: 'Two map fields', params, body: ['headers', 'attributes.custom'] }],
      handle: async ({ params: { id }, body }) => {
        refuseAudit(id, 'given map fields');
        for (const name of body) checkMapFieldName(name);
        const twice = firstRepeated(body);
        if (twice !== undefined)
          throw httpError('invalid-request', { problem: `map field '${twice}' is listed twice` });
        const { mapFields } = await datasets.update(id, ({ schema }) => {
          requireMaps(schema, body);
          return { mapFields: body };
        });
        return json(mapFields);
      },
    }),
    route({
      method: 'POST',
      path: '/v2/datasets/{id}/mapfields',
      operation: 'createMapField',
      tag,
      summary: 'Declare a map field',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: DatasetParameter, body: MapField },
      responses: { 200: { description: 'The map field.', schema: MapField } },
      errors: ['dataset-not-found', 'protected-resource', 'already-exists'],
      examples: [{ summary: 'A map field', params, body: { name: 'headers' }, answer: { name: 'headers' } }],
      handle: async ({ params: { id }, body: { name } }) => {
        refuseAudit(id, 'given map fields');
        checkMapFieldName(name);
        await datasets.update(id, ({ mapFields }) => {
          if (mapFields.includes(name)) throw httpError('already-exists', { kind: 'map field', name });
          return { mapFields: [...mapFields, name] };
        });
        return json({ name });
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/datasets/{id}/mapfields/{name}',
      operation: 'deleteMapField',
      tag,
      summary: 'Remove the declaration of a map field',
      description: 'Later objects become dotted fields again; stored events do not change.',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: Parameters },
      responses: { 204: { description: 'Declaration removed.' } },
      errors: ['dataset-not-found', 'not-found', 'protected-resource'],
      examples: [{ summary: 'Remove', params: { ...params, name: 'headers' } }],
      handle: async ({ params: { id, name } }) => {
        await datasets.update(id, ({ mapFields, schema }) => {
          if (!mapFields.includes(name)) throw httpError('not-found', { kind: 'map field', name });
          const left = mapFields.filter((other) => other !== name);
          requireMaps(schema, left);
          return { mapFields: left };
        });
        return empty();
      },
    }),
  ];
}

/**
 * Maps in a locked schema must stay map fields: otherwise the properties of an object would become
 * separate, undeclared fields, and be dropped.
 * @throws HttpError `protected-resource`
 */
function requireMaps(schema: readonly DeclaredField[] = [], mapFields: readonly string[]): void {
  const missing = schema.find(({ name, types }) => types.includes('map') && !mapFields.includes(name));
  if (missing !== undefined)
    throw httpError('protected-resource', {
      reason: `the locked schema declares '${missing.name}' as a map; lock the dataset without that type, or unlock it, first`,
    });
}
