import { Type } from 'typebox';
import { creatorOf } from '@millrace/http/access/identity';
import { createDataset, deleteDataset } from '@millrace/metadata/datasets/lifecycle';
import { httpError } from '@millrace/api/errors';
import { timestamp } from '@millrace/metadata/clock';
import { auditDataset } from '@millrace/metadata/dataset-names';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import {
  CreateDataset,
  Dataset,
  DatasetParameter,
  TrimOptions,
  UpdateDataset,
  VacuumResult,
  isMetrics,
} from '@millrace/api/schemas/dataset';
import type { Deps } from './deps.js';
import { notFoundIfGone } from './not-found-if-gone.js';
import { jsonInPieces, longList } from '@millrace/http/body/json-stream';
import { empty, json, route, type Route } from '@millrace/http/route';
import { includeParameter, optional } from '@millrace/api/schemas/parts';
import { trimDataset } from './trim-dataset.js';

const tag = 'Datasets';

const IncludeQuery = includeParameter('fieldRoles', 'adds the fields with a role.');

/** A dataset as version 2 of the interface shows it, with field roles where asked for. */
export function datasetV2(record: DatasetRecord, include?: 'fieldRoles'): Dataset {
  const { name, description, who, created, updatedAt, useRetentionPeriod, retentionDays, mapFields, edgeDeployment } =
    record;
  const { fieldRoles } = record;
  const kind = record.kind as Dataset['kind'];
  return {
    id: name,
    name,
    description,
    who,
    created,
    updatedAt,
    kind,
    canWrite: name !== auditDataset,
    useRetentionPeriod,
    retentionDays,
    mapFields: [...mapFields],
    edgeDeployment,
    ...(include === 'fieldRoles' && fieldRoles !== undefined && { fieldRoles }),
  };
}

const day = 86_400_000;
const example = { name: 'http-logs', description: 'Requests to our site', kind: 'axiom:events:v1' };
const exampleAnswer = {
  id: 'http-logs',
  ...example,
  who: 'Owner',
  created: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  canWrite: true,
  useRetentionPeriod: false,
  retentionDays: 0,
  mapFields: [],
  edgeDeployment: '',
};
const params = { id: 'http-logs' };

export function datasetRoutesV2(deps: Deps): readonly Route[] {
  const { metadata, data, clock } = deps;
  /**
   * Datasets that are being vacuumed. In memory only: a vacuum interrupted by a crash does not
   * count and may be repeated immediately.
   */
  const vacuuming = new Set<number>();
  return [
    route({
      method: 'GET',
      path: '/v2/datasets',
      operation: 'listDatasets',
      tag,
      summary: 'List datasets',
      need: { scope: 'login' },
      request: { query: IncludeQuery },
      responses: { 200: { description: 'All datasets, sorted by name.', schema: Type.Array(Dataset) } },
      examples: [{ summary: 'All datasets', answer: [exampleAnswer] }],
      handle: ({ query: { include } }) => longList(metadata.datasets.list().map((each) => datasetV2(each, include))),
    }),
    route({
      method: 'POST',
      path: '/v2/datasets',
      operation: 'createDataset',
      tag,
      summary: 'Create a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'create' },
      request: {
        query: Type.Object({
          referrer: Type.Optional(Type.String({ description: 'Ignored.' })),
          shard: optional(
            Type.Integer({ minimum: 1, description: 'Shard for the dataset. Default: the least used one.' }),
          ),
        }),
        body: CreateDataset,
      },
      responses: { 200: { description: 'The new dataset.', schema: Dataset } },
      errors: ['already-exists'],
      examples: [{ summary: 'A dataset for events', body: example, answer: exampleAnswer }],
      handle: async ({ body, query: { shard }, principal }) => {
        const who = await creatorOf(metadata, principal);
        return json(datasetV2(await createDataset(deps, { ...body, who, shard })));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/datasets/{id}',
      operation: 'getDataset',
      tag,
      summary: 'Get a dataset',
      need: { scope: 'login' },
      request: { params: DatasetParameter, query: IncludeQuery },
      responses: { 200: { description: 'The dataset.', schema: Dataset } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'One dataset', params, answer: exampleAnswer }],
      handle: ({ params: { id }, query: { include } }) => json(datasetV2(metadata.datasets.get(id), include)),
    }),
    route({
      method: 'PUT',
      path: '/v2/datasets/{id}',
      operation: 'updateDataset',
      tag,
      summary: 'Change description, retention and field roles of a dataset',
      description: 'Changing the retention of the audit log also requires `rbac:create`.',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: DatasetParameter, query: IncludeQuery, body: UpdateDataset },
      responses: { 200: { description: 'The dataset as it is now.', schema: Dataset } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'Keep events for 30 days', params, body: { retentionDays: 30, useRetentionPeriod: true } }],
      handle: async ({ params: { id }, query: { include }, body, require }) => {
        const retention = body.retentionDays !== undefined || body.useRetentionPeriod !== undefined;
        // Prevents users with all rights on datasets from letting the record of their actions
        // expire.
        if (id === auditDataset && retention) require({ scope: 'org', resource: 'rbac', action: 'create' });
        const { fieldRoles, ...change } = body;
        return json(
          datasetV2(
            await metadata.datasets.update(id, (present) => ({
              ...change,
              // Roles that the request leaves out stay.
              ...(fieldRoles !== undefined && { fieldRoles: { ...present.fieldRoles, ...fieldRoles } }),
            })),
            include,
          ),
        );
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/datasets/{id}',
      operation: 'deleteDataset',
      tag,
      summary: 'Delete a dataset and all its events',
      description:
        'Deletes the rights of tokens and roles on its name, too, so that they do not apply to a later dataset of the same name. ' +
        'Views that read it remain, and would read a later dataset of the same name.',
      need: { scope: 'org', resource: 'datasets', action: 'delete' },
      request: { params: DatasetParameter },
      responses: { 204: { description: 'Deleted.' } },
      errors: ['dataset-not-found', 'protected-resource', 'storage-unavailable'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { id } }) => {
        await deleteDataset(deps, id);
        return empty();
      },
    }),
    route({
      method: 'POST',
      path: '/v2/datasets/{id}/trim',
      operation: 'trimDataset',
      tag,
      summary: 'Delete the older events of a dataset',
      need: { scope: 'dataset', resource: 'trim', action: 'update', param: 'id' },
      request: { params: DatasetParameter, body: TrimOptions },
      responses: { 204: { description: 'Events deleted.' } },
      errors: ['dataset-not-found', 'storage-unavailable', 'disk-full-trim'],
      examples: [{ summary: 'Keep the last 30 days', params, body: { maxDuration: '30d' } }],
      handle: async ({ params: { id }, body }) => {
        await trimDataset(deps, id, body);
        return empty();
      },
    }),
    route({
      method: 'POST',
      path: '/v2/datasets/{id}/vacuum',
      operation: 'vacuumDataset',
      tag,
      summary: 'Remove unused fields',
      description: 'At most once per day and dataset. Removed fields free their space; a later event recreates them.',
      need: { scope: 'dataset', resource: 'vacuum', action: 'update', param: 'id' },
      request: { params: DatasetParameter },
      responses: { 200: { description: 'The removed fields.', schema: VacuumResult } },
      errors: ['dataset-not-found', 'too-soon', 'storage-unavailable', 'needs-a-log'],
      examples: [{ summary: 'Vacuum', params, answer: { fields: ['old_name'] } }],
      handle: async ({ params: { id } }) => {
        const dataset = metadata.datasets.get(id);
        // All fields of metrics are in use.
        if (isMetrics(dataset.kind)) return jsonInPieces({ fields: inPieces([]) });
        const next = dataset.vacuumed === undefined ? 0 : Date.parse(dataset.vacuumed) + day;
        // A time in the future was recorded while the clock was wrong.
        if (next > clock() && next <= clock() + day) throw tooSoon(id, next);
        if (vacuuming.has(dataset.datasetId))
          throw httpError('too-soon', { problem: `dataset '${id}' is being vacuumed; wait until that is done` });
        vacuuming.add(dataset.datasetId);
        try {
          const fields = await notFoundIfGone(dataset, data.deletions.vacuum(dataset));
          const vacuumed = timestamp(clock);
          // Unless another dataset was created under this name in the meantime.
          await metadata.datasets.update(id, ({ datasetId }) => (datasetId === dataset.datasetId ? { vacuumed } : {}));
          return jsonInPieces({ fields: inPieces(fields) });
        } finally {
          vacuuming.delete(dataset.datasetId);
        }
      },
    }),
  ];
}

/** Names per chunk of a response; there may be millions. */
const namesInPiece = 500;

async function* inPieces(names: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < names.length; from += namesInPiece) yield names.slice(from, from + namesInPiece);
}

const tooSoon = (name: string, next: number) =>
  httpError(
    'too-soon',
    {
      problem: `dataset '${name}' was vacuumed less than a day ago; it can be again after ${new Date(next).toISOString()}`,
    },
    { headers: { 'retry-after': new Date(next).toUTCString() } },
  );
