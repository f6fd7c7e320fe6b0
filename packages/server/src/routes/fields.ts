import { Type } from 'typebox';
import { fieldsOf } from '@millrace/metadata/datasets/fields';
import { httpError } from '@millrace/api/errors';
import { DatasetField, DatasetParameter, UpdateField } from '@millrace/api/schemas/dataset';
import type { Deps } from './deps.js';
import { jsonInPieces } from '@millrace/http/body/json-stream';
import { json, route, type Route } from '@millrace/http/route';

const tag = 'Fields';
const FieldParameters = Type.Object({
  ...DatasetParameter.properties,
  field: Type.String({ minLength: 1, description: 'Full name of the field.' }),
});
const params = { id: 'http-logs', field: 'duration' };

export function fieldRoutes(deps: Deps): readonly Route[] {
  const { metadata } = deps;
  return [
    route({
      method: 'GET',
      path: '/v2/datasets/{id}/fields',
      operation: 'listFields',
      tag,
      summary: 'List the fields of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'read' },
      request: { params: DatasetParameter },
      responses: { 200: { description: 'Sorted by name.', schema: Type.Array(DatasetField) } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'All fields', params: { id: params.id } }],
      handle: async ({ params: { id } }) => jsonInPieces((await fieldsOf(deps, metadata.datasets.get(id))).pieces()),
    }),
    route({
      method: 'GET',
      path: '/v2/datasets/{id}/fields/{field}',
      operation: 'getField',
      tag,
      summary: 'Get a field of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'read' },
      request: { params: FieldParameters },
      responses: { 200: { description: 'The field.', schema: DatasetField } },
      errors: ['dataset-not-found', 'not-found'],
      examples: [{ summary: 'One field', params }],
      handle: async ({ params: { id, field } }) => {
        const found = (await fieldsOf(deps, metadata.datasets.get(id))).find(field);
        if (found === undefined) throw httpError('not-found', { kind: 'field', name: field });
        return json(found);
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/datasets/{id}/fields/{field}',
      operation: 'updateField',
      tag,
      summary: 'Set unit, description and visibility of a field',
      description: 'Name and type are ignored. The field may not exist yet.',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: FieldParameters, body: UpdateField },
      responses: { 200: { description: 'The field as it is now.', schema: DatasetField } },
      errors: ['dataset-not-found', 'quota-reached'],
      examples: [
        { summary: 'A duration in milliseconds', params, body: { unit: 'ms', description: 'Time to the last byte' } },
      ],
      handle: async ({ params: { id, field }, body }) => {
        const dataset = metadata.datasets.get(id);
        await metadata.fields.update(dataset, field, body);
        return json((await fieldsOf(deps, dataset)).find(field));
      },
    }),
  ];
}
