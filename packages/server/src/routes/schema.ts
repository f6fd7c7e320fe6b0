import { httpError } from '@millrace/api/errors';
import { checkMapFieldName, refuseAudit } from '@millrace/metadata/dataset-names';
import { DatasetParameter, LockedSchema } from '@millrace/api/schemas/dataset';
import { firstRepeated } from '@millrace/api/schemas/find-duplicate';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '@millrace/http/route';

const tag = 'Locked schemas';
const params = { id: 'http-logs' };
const example = {
  fields: [
    { name: 'status', types: ['integer'] },
    { name: 'path', types: ['string'] },
  ],
};

/**
 * Locked schemas: such a dataset stores declared fields only. The response to an ingest request
 * reports dropped values.
 */
export function schemaRoutes({ metadata: { datasets } }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/datasets/{id}/schema',
      operation: 'getSchema',
      tag,
      summary: 'Get the locked schema of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'read' },
      request: { params: DatasetParameter },
      responses: { 200: { description: 'The declared fields.', schema: LockedSchema } },
      errors: ['dataset-not-found', 'not-found'],
      examples: [{ summary: 'The schema', params, answer: example }],
      handle: ({ params: { id } }) => {
        const { schema } = datasets.get(id);
        if (schema === undefined) throw httpError('not-found', { kind: 'locked schema of dataset', name: id });
        return json({ fields: schema });
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/datasets/{id}/schema',
      operation: 'lockSchema',
      tag,
      summary: 'Lock the schema of a dataset',
      description:
        'Drops values of other fields or types from new events. Stored events do not change. Fields allowed to be maps become map fields.',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: DatasetParameter, body: LockedSchema },
      responses: { 200: { description: 'The declared fields.', schema: LockedSchema } },
      errors: ['dataset-not-found', 'protected-resource'],
      examples: [{ summary: 'Two fields', params, body: example, answer: example }],
      handle: async ({ params: { id }, body: { fields } }) => {
        const twice = firstRepeated(fields.map(({ name }) => name));
        if (twice !== undefined) throw httpError('invalid-request', { problem: `field '${twice}' is declared twice` });
        refuseAudit(id, 'locked');
        const timed = fields.find(({ name, types }) => types.includes('datetime') && !systemTimes.has(name));
        if (timed !== undefined) throw httpError('invalid-request', { problem: noDatetime(timed.name) });
        const maps = fields.filter(({ types }) => types.includes('map')).map(({ name }) => name);
        maps.forEach(checkMapFieldName);
        // Otherwise the properties of an object would become separate fields, which are not
        // declared.
        const { schema } = await datasets.update(id, ({ mapFields }) => ({
          schema: fields,
          mapFields: [...new Set([...mapFields, ...maps])],
        }));
        return json({ fields: schema });
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/datasets/{id}/schema',
      operation: 'unlockSchema',
      tag,
      summary: 'Unlock the schema of a dataset',
      need: { scope: 'org', resource: 'datasets', action: 'update' },
      request: { params: DatasetParameter },
      responses: { 204: { description: 'The schema is unlocked.' } },
      errors: ['dataset-not-found'],
      examples: [{ summary: 'Unlock', params }],
      handle: async ({ params: { id } }) => {
        await datasets.update(id, () => ({ schema: undefined }));
        return empty();
      },
    }),
  ];
}

const systemTimes: ReadonlySet<string> = new Set(['_time', '_sysTime']);

const noDatetime = (name: string): string =>
  `field '${name}' cannot have the type datetime: times in events are text or numbers; declare it as string or integer`;
