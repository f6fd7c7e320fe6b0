import { describe, expect, it } from 'vitest';
import { send } from '../../support/apl.ts';
import { call, keys, one, statusOf } from './one.ts';

/** Properties of a dataset; strict clients reject unknown ones. */
const datasetKeys = [
  'canWrite',
  'created',
  'description',
  'edgeDeployment',
  'edgeDeploymentUrl',
  'id',
  'kind',
  'mapFields',
  'name',
  'retentionDays',
  'sharedByOrg',
  'updatedAt',
  'useRetentionPeriod',
  'who',
];

describe('datasets', () => {
  it('version 2: create, update, get and list agree to the byte; delete has no body', async () => {
    const body = { name: 'v2', description: 'd', useRetentionPeriod: false, retentionDays: 0 };
    const created = await call('POST', '/v2/datasets?referrer=test', body);
    expect(created).toMatchObject({ status: 200, body: { id: 'v2', name: 'v2', kind: 'axiom:events:v1' } });
    expect(keys(created.body).filter((key) => !datasetKeys.includes(key))).toEqual([]);
    const updated = await call('PUT', '/v2/datasets/v2', { ...body, description: 'e' });
    expect(updated).toMatchObject({ status: 200, body: { description: 'e' } });
    expect((await call('GET', '/v2/datasets/v2')).body).toEqual(updated.body);
    expect((await call('GET', '/v2/datasets')).body).toContainEqual(updated.body);
    expect(await call('POST', '/v2/datasets/v2/trim', { maxDuration: '1s' })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await call('DELETE', '/v2/datasets/v2')).toMatchObject({ status: 204, body: undefined });
    expect(await statusOf('GET', '/v2/datasets/v2')).toBe(404);
  });

  it('version 1: the five members, the edge deployment under both names, trim with a count', async () => {
    const created = await call('POST', '/v1/datasets', { name: 'v1', description: 'd', edgeDeployment: 'local' });
    expect(created).toMatchObject({ status: 200, body: { id: 'v1', name: 'v1', description: 'd' } });
    expect(keys(created.body)).toEqual(['created', 'description', 'edgeDeployment', 'id', 'name', 'region', 'who']);
    expect((await call('GET', '/v1/datasets/v1')).body).toMatchObject({ region: 'local', edgeDeployment: 'local' });
    expect((await call('GET', '/v1/datasets')).body).toContainEqual(created.body);
    expect(await call('PUT', '/v1/datasets/v1', { description: 'e' })).toMatchObject({ body: { description: 'e' } });
    await send(one.server, 'v1', '{"_time":1,"a":1}');
    expect(await call('POST', '/v1/datasets/v1/trim', { maxDuration: '1s' })).toMatchObject({
      status: 200,
      body: { numDeleted: 1 },
    });
    expect(await statusOf('DELETE', '/v1/datasets/v1')).toBe(204);
    expect(await statusOf('GET', '/v1/datasets/v1')).toBe(404);
  });

  it.each([
    ['a name that is taken', 'POST', '/v2/datasets', { name: 'taken' }, 409],
    ['names of routes', 'POST', '/v2/datasets', { name: '_apl' }, 400],
    ['a name with a slash', 'POST', '/v2/datasets', { name: 'a/b' }, 400],
    ['a duration that is none', 'POST', '/v2/datasets/taken/trim', { maxDuration: 'soon' }, 400],
  ])('%s is refused', async (_, method, path, body, expected) => {
    await call('POST', '/v2/datasets', { name: 'taken' });
    expect(await call(method, path, body)).toMatchObject({ status: expected, body: { code: expected } });
  });

  it('fields with what a user said about them', async () => {
    const dataset = await one.dataset();
    await send(one.server, dataset, '{"took":1.5}');
    await call('PUT', `/v2/datasets/${dataset}/fields/took`, { unit: 'ms', description: 'how long', hidden: true });
    const took = { name: 'took', type: 'float', unit: 'ms', description: 'how long', hidden: true };
    expect((await call('GET', `/v2/datasets/${dataset}/fields`)).body).toContainEqual(took);
    const { body } = await call('POST', '/v1/datasets/_apl?format=tabular', { apl: `['${dataset}']` });
    expect((body as { fieldsMetaMap: Record<string, unknown> }).fieldsMetaMap[dataset]).toContainEqual(took);
  });
});

describe('map fields', () => {
  it('are declared one by one or all together; what cannot be is refused', async () => {
    const path = `/v2/datasets/${await one.dataset()}/mapfields`;
    expect(await call('POST', path, { name: 'foo' })).toMatchObject({ status: 200, body: { name: 'foo' } });
    expect(await statusOf('POST', path, { name: 'foo' })).toBeGreaterThanOrEqual(400);
    expect(await statusOf('POST', path, { name: '__invalid__' })).toBe(400);
    expect((await call('PUT', path, [])).body).toEqual([]);
    expect((await call('PUT', path, ['bar', 'baz', 'with.dot'])).body).toEqual(['bar', 'baz', 'with.dot']);
    expect(await statusOf('PUT', path, ['dupe', 'dupe'])).toBe(400);
    expect(await statusOf('PUT', path, ['__invalid__'])).toBe(400);
    expect(await statusOf('DELETE', `${path}/bar`)).toBe(204);
    expect(await statusOf('DELETE', `${path}/bar`)).toBe(404);
    expect((await call('GET', path)).body).toEqual(['baz', 'with.dot']);
  });
});
