import { httpError } from '@millrace/api/errors';
import { isMetrics } from '@millrace/api/schemas/dataset';
import { IdParameter } from '@millrace/api/schemas/parts';
import { ShownSource, SourceStatus, type StoredSource, WriteSource } from '@millrace/api/schemas/source';
import { userIdOf } from '@millrace/http/access/identity';
import { json, type RequestContext, route, type Route } from '@millrace/http/route';
import { timestamp } from '@millrace/metadata/clock';
import { keptProperties, shownSource } from '@millrace/sources/managed/source-record';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const exampleId = 'source_5f2b7c1e9a4d3b6c8e0f1a2b';
const example = {
  name: 'orders',
  dataset: 'logs',
  properties: { kafka: { brokers: ['kafka-1.example.com:9092'], topics: ['orders'] } },
} as const;

/** Users who may write sources see their secrets. */
const writePermission = { scope: 'org', resource: 'integrations', action: 'update' } as const;

/**
 * Sources run with the rights of the user who wrote them last, who needs the right to ingest into
 * their datasets.
 */
export const sourceRoutes = (deps: Deps): readonly Route[] => [
  ...sourceCollection(deps),
  pauseRoute(deps, true),
  pauseRoute(deps, false),
  route({
    method: 'GET',
    path: '/v2/sources/{id}/status',
    operation: 'getSourceStatus',
    tag: 'Sources',
    summary: 'Get the status of a source',
    need: { scope: 'org', resource: 'integrations', action: 'read' },
    request: { params: IdParameter },
    responses: { 200: { description: 'What the source has done so far.', schema: SourceStatus } },
    errors: ['not-found'],
    examples: [{ summary: 'The status', params: { id: exampleId } }],
    handle: async ({ params }) => json(await deps.sources.status(await deps.metadata.sources.get(params.id))),
  }),
];

function pauseRoute({ metadata, sources }: Deps, paused: boolean): Route {
  const verb = paused ? 'pause' : 'resume';
  return route({
    method: 'POST',
    path: `/v2/sources/{id}/${verb}`,
    operation: `${verb}Source`,
    tag: 'Sources',
    summary: paused ? 'Pause a source' : 'Resume a source',
    description: paused
      ? 'The batch that is being stored is completed or repeated later. Kafka and S3 keep what arrives until then, for as long as they are set to.'
      : 'Continues after the last stored batch.',
    need: writePermission,
    request: { params: IdParameter },
    responses: { 200: { description: 'The source as it is now.', schema: ShownSource } },
    errors: ['not-found'],
    examples: [{ summary: paused ? 'Pause' : 'Resume', params: { id: exampleId } }],
    handle: async ({ params }) => {
      const source = await metadata.sources.update(params.id, (present) => ({ ...present, paused }));
      await sources.reconcile();
      return json(shownSource(source, await sources.status(source), true));
    },
  });
}

const sourceCollection = ({ metadata, clock, sources, settings }: Deps): readonly Route[] => {
  const { sources: stored } = metadata;
  const sourceRecord = async (source: StoredSource, { may }: Pick<RequestContext, 'may'>): Promise<ShownSource> =>
    shownSource(source, await sources.status(source), may(writePermission));
  return collectionRoutes({
    tag: 'Sources',
    path: '/v2/sources',
    operations: { one: 'Source', many: 'Sources' },
    nouns: { one: 'source', many: 'sources' },
    schema: ShownSource,
    need: (action) => ({ scope: 'org', resource: 'integrations', action }),
    id: exampleId,
    list: {
      found: 'All sources, oldest first.',
      example: { summary: 'All sources' },
      handle: async (call) => {
        const all: ShownSource[] = [];
        for (const source of await stored.list()) all.push(await sourceRecord(source, call));
        return all;
      },
    },
    create: {
      description:
        'The source starts at once. It needs `ingest:create` on its datasets, and runs with the rights of the user of the token.',
      body: WriteSource,
      errors: ['dataset-not-found', 'wrong-dataset-kind', 'already-exists', 'quota-reached'],
      example: { summary: 'A topic of Kafka', body: example },
      handle: async (call) => {
        const { body, principal } = call;
        requireDatasets(body, call, metadata);
        const properties = keptProperties(body);
        if ((await stored.list()).length >= settings.maxSources)
          throw httpError('quota-reached', {
            problem: `limit of ${settings.maxSources} sources reached`,
            setting: 'MILLRACE_MAX_SOURCES',
          });
        const now = timestamp(clock);
        const user = userIdOf(principal);
        const made = await stored.create({
          ...body,
          properties,
          paused: false,
          createdAt: now,
          createdBy: user,
          updatedAt: now,
          writtenBy: user,
        });
        await sources.reconcile();
        return sourceRecord(made, call);
      },
    },
    get: { handle: async (call) => sourceRecord(await stored.get(call.params.id), call) },
    update: {
      description:
        'Omitted properties are removed. Empty secrets keep their stored value. The source starts again with the rights of the user of the token; it continues after the last stored batch if it reads the same topics with the same group, or the same bucket.',
      body: WriteSource,
      errors: ['dataset-not-found', 'wrong-dataset-kind', 'already-exists', 'quota-reached'],
      example: { summary: 'Another dataset', body: { ...example, dataset: 'otel' } },
      handle: async (call) => {
        const { body, params, principal } = call;
        requireDatasets(body, call, metadata);
        const replaced = await stored.update(params.id, (present) => ({
          ...body,
          id: params.id,
          properties: keptProperties(body, present),
          paused: present.paused,
          createdAt: present.createdAt,
          createdBy: present.createdBy,
          updatedAt: timestamp(clock),
          writtenBy: userIdOf(principal),
        }));
        await sources.reconcile();
        return sourceRecord(replaced, call);
      },
    },
    delete: {
      description: 'Stops it. Stored events stay.',
      handle: async ({ params }) => {
        await stored.delete(params.id);
        await sources.reconcile();
      },
    },
  });
};

/** @throws HttpError `forbidden`, `dataset-not-found`, `wrong-dataset-kind`, `invalid-request` */
function requireDatasets(
  { dataset, rejectedDataset, properties }: WriteSource,
  { require }: Pick<RequestContext, 'require'>,
  { datasets }: Deps['metadata'],
): void {
  const hasMetrics = properties.kafka?.format === 'otlp-metrics';
  if (hasMetrics && rejectedDataset === undefined)
    throw httpError('invalid-request', {
      problem: `body 'rejectedDataset' is required for metrics, whose dataset takes no events`,
    });
  const all = [{ name: dataset, takesMetrics: hasMetrics }];
  if (rejectedDataset !== undefined) all.push({ name: rejectedDataset, takesMetrics: false });
  for (const { name, takesMetrics } of all) {
    require({ scope: 'dataset', name, resource: 'ingest', action: 'create' });
    const { kind } = datasets.get(name);
    if (isMetrics(kind) !== takesMetrics)
      throw httpError('wrong-dataset-kind', {
        name,
        kind,
        stored: isMetrics(kind) ? 'metrics' : 'events',
        sent: takesMetrics ? 'metrics' : 'events',
        remedy: `name a dataset for ${takesMetrics ? 'metrics' : 'events'}`,
      });
  }
}
