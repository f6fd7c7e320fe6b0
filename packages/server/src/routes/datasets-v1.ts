import { formatRfc3339 } from '@millrace/timestamps';
import { Type } from 'typebox';
import { creatorOf } from '@millrace/http/access/identity';
import { fieldsOf } from '@millrace/metadata/datasets/fields';
import { createDataset, deleteDataset } from '@millrace/metadata/datasets/lifecycle';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import {
  CreateDatasetV1,
  DatasetFields,
  DatasetInfo,
  DatasetV1,
  TrimOptions,
  TrimResult,
  UpdateDatasetV1,
} from '@millrace/api/schemas/dataset';
import { trimDataset } from './trim-dataset.js';
import type { Deps } from './deps.js';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { notFoundIfGone } from './not-found-if-gone.js';
import { jsonInPieces, longList } from '@millrace/http/body/json-stream';
import { empty, json, route, type Route } from '@millrace/http/route';

const tag = 'Datasets (version 1)';
const NameParameter = Type.Object({ name: Type.String({ minLength: 1, description: 'Name of the dataset.' }) });
const params = { name: 'http-logs' };

function datasetV1({ name, description, who, created, edgeDeployment }: DatasetRecord) {
  const edge = edgeDeployment === '' ? {} : { region: edgeDeployment, edgeDeployment };
  return { id: name, name, description, who, created, ...edge };
}

export function datasetRoutesV1(deps: Deps): readonly Route[] {
  const { metadata, data } = deps;
  return [
    route({
      method: 'GET',
      path: '/v1/datasets',
      operation: 'listDatasetsV1',
      tag,
      summary: 'List datasets',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'All datasets, sorted by name.', schema: Type.Array(DatasetV1) } },
      examples: [{ summary: 'All datasets' }],
      handle: () => longList(metadata.datasets.list().map(datasetV1)),
    }),
    route({
      method: 'POST',
      path: '/v1/datasets',
      operation: 'createDatasetV1',
      tag,
      summary: 'Create a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'create' },
      request: { body: CreateDatasetV1 },
      responses: { 200: { description: 'The new dataset.', schema: DatasetV1 } },
      errors: ['already-exists'],
      examples: [{ summary: 'A dataset', body: { name: 'http-logs', description: 'Requests to our site' } }],
      handle: async ({ body: { region, edgeDeployment = region, ...body }, principal }) => {
        const who = await creatorOf(metadata, principal);
        return json(datasetV1(await createDataset(deps, { ...body, edgeDeployment, who, shard: undefined })));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/datasets/_fields',
      operation: 'listFieldsV1',
      tag,
      summary: 'List the fields of all datasets',
      need: { scope: 'org', resource: 'datasets', action: 'read' },
      request: {},
      responses: { 200: { description: 'Datasets with their fields.', schema: Type.Array(DatasetFields) } },
      examples: [{ summary: 'All fields' }],
      handle: async () => {
        async function* fields(dataset: DatasetRecord) {
          yield* (await fieldsOf(deps, dataset)).pieces();
        }
        const all = metadata.datasets.list();
        return jsonInPieces(all.map((dataset) => ({ datasetName: dataset.name, fields: fields(dataset) })));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/datasets/{name}',
      operation: 'getDatasetV1',
      tag,
      summary: 'Get a dataset',
      need: { scope: 'login' },
      request: { params: NameParameter },
      responses: { 200: { description: 'The dataset.', schema: DatasetV1 } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'One dataset', params }],
      handle: ({ params: { name } }) => json(datasetV1(metadata.datasets.get(name))),
    }),
    route({
      method: 'PUT',
      path: '/v1/datasets/{name}',
      operation: 'updateDatasetV1',
      tag,
      summary: 'Change the description of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: NameParameter, body: UpdateDatasetV1 },
      responses: { 200: { description: 'The dataset as it is now.', schema: DatasetV1 } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'Describe', params, body: { description: 'All requests' } }],
      handle: async ({ params: { name }, body }) => json(datasetV1(await metadata.datasets.update(name, () => body))),
    }),
    route({
      method: 'DELETE',
      path: '/v1/datasets/{name}',
      operation: 'deleteDatasetV1',
      tag,
      summary: 'Delete a dataset and all its events',
      need: { scope: 'org', resource: 'datasets', action: 'delete' },
      request: { params: NameParameter },
      responses: { 204: { description: 'Deleted.' } },
      errors: ['dataset-not-found', 'protected-resource', 'storage-unavailable'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { name } }) => {
        await deleteDataset(deps, name);
        return empty();
      },
    }),
    route({
      method: 'POST',
      path: '/v1/datasets/{name}/trim',
      operation: 'trimDatasetV1',
      tag,
      summary: 'Delete the older events of a dataset',
      need: { scope: 'dataset', resource: 'trim', action: 'update', param: 'name' },
      request: { params: NameParameter, body: TrimOptions },
      responses: { 200: { description: 'Number of deleted events.', schema: TrimResult } },
      errors: ['dataset-not-found', 'storage-unavailable', 'disk-full-trim'],
      examples: [
        { summary: 'Keep the last 30 days', params, body: { maxDuration: '30d' }, answer: { numDeleted: 12 } },
      ],
      handle: async ({ params: { name }, body }) => {
        return json({ numDeleted: await trimDataset(deps, name, body) });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/datasets/{name}/info',
      operation: 'getDatasetInfoV1',
      tag,
      summary: 'Get size, time range and fields of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'read' },
      request: { params: NameParameter },
      responses: { 200: { description: 'Current state.', schema: DatasetInfo } },
      errors: ['dataset-not-found', 'storage-unavailable'],
      examples: [{ summary: 'Info', params }],
      handle: async ({ params: { name } }) => {
        const dataset = metadata.datasets.get(name);
        const [size, fields] = await Promise.all([
          notFoundIfGone(dataset, data.info(dataset)),
          fieldsOf(deps, dataset),
        ]);
        return jsonInPieces({
          name,
          numBlocks: size.rows === 0 ? 0 : 1,
          numEvents: size.rows,
          numFields: fields.size,
          inputBytes: size.rawBytes,
          inputBytesHuman: humanBytes(size.rawBytes),
          compressedBytes: size.bytes,
          compressedBytesHuman: humanBytes(size.bytes),
          ...(size.minTime !== undefined && { minTime: formatRfc3339(size.minTime) }),
          ...(size.maxTime !== undefined && { maxTime: formatRfc3339(size.maxTime) }),
          fields: fields.pieces(),
          who: dataset.who,
          created: dataset.created,
        });
      },
    }),
  ];
}
