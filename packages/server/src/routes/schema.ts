import { httpError } from '../errors.js';
import { checkMapFieldName, refuseAudit } from '../metadata/dataset-names.js';
import { DatasetParameter, LockedSchema } from '../schemas/dataset.js';
import { firstRepeated } from '../schemas/first-repeated.js';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '../http/route.js';

const tag = 'Locked schemas';
const params = { id: 'http-logs' };
const example = {
  fields: [
    { name: 'status', types: ['integer'] },
    { name: 'path', types: ['string'] },
  ],
};

/**
 * Locked schemas: such a dataset stores declared fields only. The answer to an ingest request says
 * what was left out of its events.
 */
export function schemaRoutes({ metadata: { datasets } }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/datasets/{id}/schema',
      operation: 'getSchema',
      tag,
      summary: 'The locked schema of a dataset',
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
        'From now on values of other fields and other types are left out of events. What is stored stays. A field that may be a map becomes a map field.',
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
        // Otherwise the members of an object would be fields of their own, which are not declared.
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
      responses: { 204: { description: 'The dataset takes all fields again.' } },
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
