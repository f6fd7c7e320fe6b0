import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDatasetName, checkMapFieldName } from './dataset-names.js';
import { withinShards } from './datasets.js';
import type { Metadata } from './metadata.js';
import { type MetadataPlace, describeEachStore } from './testing/metadata-stores.js';

describeEachStore((store) => {
  let place: MetadataPlace;
  let metadata: Metadata;
  let now: number;
  const open = () => place.open(() => now);
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 20);
    place = await store.place();
    metadata = await open();
  });
  afterEach(async () => {
    await metadata.close();
    await place.end();
  });
  async function reopen(): Promise<void> {
    await metadata.close();
    metadata = await open();
  }

  test('what create answers is what get and list give, also after a restart', async () => {
    const created = await metadata.datasets.create({
      name: 'logs',
      who: 'me',
      description: 'd',
      kind: 'otel:logs:v1',
      retentionDays: 7,
      useRetentionPeriod: true,
      edgeDeployment: 'e',
      shard: 3,
    });
    expect(created).toEqual({
      datasetId: 1,
      name: 'logs',
      who: 'me',
      description: 'd',
      kind: 'otel:logs:v1',
      created: '2026-11-20T00:00:00.000Z',
      updatedAt: '2026-11-20T00:00:00.000Z',
      useRetentionPeriod: true,
      retentionDays: 7,
      mapFields: [],
      edgeDeployment: 'e',
      shard: 3,
    });
    expect(metadata.datasets.get('logs')).toEqual(created);
    await reopen();
    expect(metadata.datasets.list()).toEqual([created]);
  });

  test('an update changes the members it names, and the time of change', async () => {
    const created = await metadata.datasets.create({ name: 'logs', who: 'me', description: 'd' });
    now += 1000;
    const updated = await metadata.datasets.update('logs', () => ({ mapFields: ['a.b', 'c'] }));
    expect(updated).toEqual({ ...created, mapFields: ['a.b', 'c'], updatedAt: '2026-11-20T00:00:01.000Z' });
    await reopen();
    expect(metadata.datasets.find('logs')).toEqual(updated);
  });

  test('a change that throws changes nothing', async () => {
    const created = await metadata.datasets.create({ name: 'logs', who: 'me' });
    const failing = metadata.datasets.update('logs', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(metadata.datasets.get('logs')).toEqual(created);
  });

  test('names are unique, and unknown ones are not found', async () => {
    await metadata.datasets.create({ name: 'logs', who: 'me' });
    await expect(metadata.datasets.create({ name: 'logs', who: 'me' })).rejects.toThrow(
      "dataset 'logs' already exists",
    );
    expect(() => metadata.datasets.get('other')).toThrow("dataset 'other' not found");
    await expect(metadata.datasets.update('other', () => ({}))).rejects.toThrow('not found');
    await expect(metadata.datasets.delete('other', 'forget')).rejects.toThrow('not found');
  });

  test('of many requests that create the same dataset at once, one succeeds', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => metadata.datasets.create({ name: 'logs', who: 'me' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(metadata.datasets.list()).toHaveLength(1);
  });

  test('changes at the same time are all seen', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => metadata.datasets.create({ name: `d${i}`, who: 'me' })));
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => metadata.datasets.update(`d${i}`, () => ({ description: `${i}` }))),
    );
    expect(metadata.datasets.list().every(({ name, description }) => name === `d${description}`)).toBe(true);
    expect(metadata.datasets.list()).toHaveLength(50);
  });

  test('a number is never reused, so a re-created dataset never meets old data', async () => {
    for (const expected of [1, 2, 3]) {
      expect((await metadata.datasets.create({ name: 'logs', who: 'me' })).datasetId).toBe(expected);
      expect(await metadata.datasets.delete('logs', 'forget')).toEqual({ datasetId: expected, name: 'logs', shard: 1 });
      await metadata.datasets.recordDropped(expected);
      await reopen();
    }
  });

  test('what belongs to a dataset goes with it', async () => {
    const { datasetId } = await metadata.datasets.create({ name: 'logs', who: 'me' });
    await metadata.fields.update({ datasetId, name: 'logs' }, 'a', { unit: 'ms' });
    await metadata.virtualFields.create({ dataset: 'logs', name: 'v', expression: 'a + 1' });
    await metadata.annotations.create({ datasets: ['logs'], type: 't', time: '2026-11-20T00:00:00Z' });
    expect((await metadata.fields.of(datasetId)).size).toBe(1);
    await metadata.datasets.delete('logs', 'forget');
    expect([
      (await metadata.fields.of(datasetId)).size,
      await metadata.virtualFields.list(),
      (await metadata.annotations.list()).length,
    ]).toEqual([0, [], 1]);
  });

  test('a deletion is remembered until the data is gone', async () => {
    const { datasetId } = await metadata.datasets.create({ name: 'logs', who: 'me', shard: 2 });
    await metadata.datasets.delete('logs', 'forget');
    await reopen();
    expect(await metadata.datasets.toDrop()).toEqual([{ datasetId, name: 'logs', shard: 2 }]);
    await withinShards(metadata.database, 2);
    expect(await metadata.datasets.toDrop()).toEqual([{ datasetId, name: 'logs', shard: 2 }]);
    await withinShards(metadata.database, 1);
    expect(await metadata.datasets.toDrop()).toEqual([{ datasetId, name: 'logs', shard: 1 }]);
    await metadata.datasets.recordDropped(datasetId);
    expect(await metadata.datasets.toDrop()).toEqual([]);
  });

  test('the field of a dataset that is gone cannot be described', async () => {
    const dataset = await metadata.datasets.create({ name: 'logs', who: 'me' });
    const [removed, described] = await Promise.allSettled([
      metadata.datasets.delete('logs', 'forget'),
      metadata.fields.update(dataset, 'a', { unit: 'ms' }),
    ]);
    expect(removed.status).toBe('fulfilled');
    // PostgreSQL may process them in another order; then the field goes with the dataset.
    if (described.status === 'rejected')
      expect(described.reason).toMatchObject({
        code: 'dataset-not-found',
        message: expect.stringContaining("'logs' not found"),
      });
    await expect(metadata.fields.update(dataset, 'a', { unit: 'ms' })).rejects.toThrow("'logs' not found");
    // The old dataset's field is not found in a new dataset of the same name either.
    await metadata.datasets.create({ name: 'logs', who: 'me' });
    await expect(metadata.fields.update(dataset, 'a', { unit: 'ms' })).rejects.toThrow("'logs' not found");
  });

  test('a virtual field of a dataset that is gone cannot be made or kept', async () => {
    for (const name of ['logs', 'other']) await metadata.datasets.create({ name, who: 'me' });
    const field = await metadata.virtualFields.create({ dataset: 'other', name: 'v', expression: '1' });
    const [removed, ...others] = await Promise.allSettled([
      metadata.datasets.delete('logs', 'forget'),
      metadata.virtualFields.create({ dataset: 'logs', name: 'v', expression: '1' }),
      metadata.virtualFields.update(field.id, () => ({ ...field, dataset: 'logs' })),
    ]);
    expect(removed.status).toBe('fulfilled');
    // PostgreSQL may process them in another order; then the fields go with the dataset.
    for (const other of others)
      if (other.status === 'rejected')
        expect(['dataset-not-found', 'already-exists']).toContain((other.reason as { code?: unknown }).code);
    expect((await metadata.virtualFields.list()).filter(({ dataset }) => dataset === 'logs')).toEqual([]);
  });

  test('field metadata: each member can be set separately', async () => {
    const { datasetId } = await metadata.datasets.create({ name: 'logs', who: 'me' });
    expect(await metadata.fields.update({ datasetId, name: 'logs' }, 'a', { unit: 'ms' })).toEqual({
      unit: 'ms',
      hidden: false,
      description: '',
    });
    expect(await metadata.fields.update({ datasetId, name: 'logs' }, 'a', { hidden: true })).toEqual({
      unit: 'ms',
      hidden: true,
      description: '',
    });
    await metadata.fields.update({ datasetId, name: 'logs' }, '__proto__', { description: 'odd' });
    await metadata.fields.update({ datasetId, name: 'logs' }, 'a\0b "ü"', { unit: 's' });
    await reopen();
    expect([...(await metadata.fields.of(datasetId))]).toEqual([
      ['__proto__', { unit: '', hidden: false, description: 'odd' }],
      ['a', { unit: 'ms', hidden: true, description: '' }],
      ['a\0b "ü"', { unit: 's', hidden: false, description: '' }],
    ]);
  });

  describe('names of datasets', () => {
    test.each(['a', 'A1', 'http-logs', 'a_b.c-d', '9', 'x'.repeat(128), 'axiomatic'])('%s', (name) =>
      expect(() => checkDatasetName(name)).not.toThrow(),
    );
    test.each([
      '',
      ' ',
      '_apl',
      '_fields',
      '-a',
      'a-',
      'a.',
      '.',
      '..',
      '../etc/passwd',
      'a/b',
      'a b',
      'ä',
      'a\n',
      'a\0b',
      "a'b",
      '*',
      'x'.repeat(129),
      'millrace-audit',
      'Millrace-x',
      'axiom-audit',
      'Axiom-x',
    ])('not %j', (name) => expect(() => checkDatasetName(name)).toThrow('cannot be the name of a dataset'));
  });

  describe('names of map fields', () => {
    test.each(['a', 'attributes.custom', 'a-b_c', 'A9'])('%s', (name) =>
      expect(() => checkMapFieldName(name)).not.toThrow(),
    );
    test.each(['', '__invalid__', '.a', 'a.', 'a b', 'x'.repeat(201)])('not %j', (name) =>
      expect(() => checkMapFieldName(name)).toThrow('cannot be a map field'),
    );
  });
});
