import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Metadata } from './metadata.js';
import { describeEachStore } from './testing/metadata-stores.js';

describeEachStore((store) => {
  let metadata: Metadata;
  beforeEach(async () => {
    metadata = await store.open(() => 0, { records: 2, bytes: 400 });
  });
  afterEach(() => metadata.close());

  const annotation = (title: string) => ({ datasets: ['a'], type: 'x', time: '2026-11-20T10:00:00Z', title });
  const two = ['one', 'two'];

  describe('more than there may be is refused, and nothing of it is kept', () => {
    it('documents, by number', async () => {
      for (const title of two) await metadata.annotations.create(annotation(title));
      await expect(metadata.annotations.create(annotation('three'))).rejects.toThrow(
        "limit of 2 resources of kind 'annotation' reached; delete some, or raise the setting MILLRACE_MAX_RESOURCES",
      );
      expect((await metadata.annotations.list()).map(({ title }) => title)).toEqual(two);
    });

    it('documents, by bytes; what becomes smaller is written', async () => {
      const { id } = await metadata.annotations.create(annotation('x'.repeat(200)));
      await expect(metadata.annotations.create(annotation('y'.repeat(200)))).rejects.toThrow('more than 400 bytes');
      const rename = (title: string) => metadata.annotations.update(id, (present) => ({ ...present, title }));
      await expect(rename('x'.repeat(300))).rejects.toThrow('MILLRACE_MAX_RESOURCE_BYTES');
      await rename('short');
      expect(await metadata.annotations.list()).toMatchObject([{ title: 'short' }]);
    });

    it('the oldest runs of evaluations go', async () => {
      await metadata.datasets.create({ name: 'evals', who: '' });
      const times = { createdAt: '2026-11-20T10:00:00Z', updatedAt: '2026-11-20T10:00:00Z' };
      const run = { name: 'n', dataset: 'evals', status: 'running', ...times };
      const write = (id: string, name = 'n') => metadata.evaluations.write(id, () => ({ ...run, name }));
      for (const id of ['a', 'b', 'c']) await write(id);
      const ids = async () => (await metadata.evaluations.list()).map(({ id }) => id);
      expect(await ids()).toEqual(['b', 'c']);
      await write('b', 'renamed');
      expect(await ids()).toEqual(['b', 'c']);
      await expect(write('d', 'x'.repeat(400))).rejects.toThrow('MILLRACE_MAX_RESOURCE_BYTES');
      expect(await ids()).toEqual(['b', 'c']);
    });

    it('users, tokens and datasets', async () => {
      const owner = await metadata.users.owner();
      await metadata.users.create({ email: 'a@example.com', name: 'A', role: 'user' });
      await expect(metadata.users.create({ email: 'b@example.com', name: 'B', role: 'user' })).rejects.toThrow(
        "'user'",
      );
      expect(await metadata.users.list()).toHaveLength(2);

      const token = { kind: 'api', name: 'x', userId: owner.id } as const;
      const made = [await metadata.tokens.create(token), await metadata.tokens.create(token)];
      await expect(metadata.tokens.create(token)).rejects.toThrow("'token'");
      await expect(metadata.tokens.regenerate(made[0]!.token.id, '2027-01-01T00:00:00Z', {})).rejects.toThrow(
        "'token'",
      );
      expect(await metadata.tokens.list('api')).toHaveLength(2);

      for (const name of two) await metadata.datasets.create({ name, who: '' });
      await expect(metadata.datasets.create({ name: 'three', who: '' })).rejects.toThrow("'dataset'");
      expect(
        metadata.datasets
          .list()
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(two);
    });
  });

  it('fields that are described, of each dataset', async () => {
    const [one, other] = [
      await metadata.datasets.create({ name: 'one', who: '' }),
      await metadata.datasets.create({ name: 'other', who: '' }),
    ];
    for (const name of two) await metadata.fields.update(one, name, { unit: 'ms' });
    await expect(metadata.fields.update(one, 'three', { unit: 'ms' })).rejects.toThrow("'described field'");
    await metadata.fields.update(one, 'two', { unit: 's' });
    await metadata.fields.update(other, 'three', { unit: 'ms' });
    expect([...(await metadata.fields.of(one.datasetId)).keys()]).toEqual(two);
  });

  it('values count as bytes, whichever table has them', async () => {
    const { id: userId } = await metadata.users.owner();
    const grants = (names: readonly string[]) => ({
      datasetCapabilities: Object.fromEntries(names.map((name) => [name, { query: ['read' as const] }])),
      orgCapabilities: {},
      viewCapabilities: {},
    });
    const tooMuch = /would take more than 400 bytes together.*MILLRACE_MAX_RESOURCE_BYTES/;
    const token = (capabilities: ReturnType<typeof grants>) =>
      metadata.tokens.create({ kind: 'api', name: 'x', userId, capabilities });
    await expect(token(grants(['x'.repeat(300)]))).rejects.toThrow(tooMuch);
    await token(grants(['x']));
    expect(await metadata.tokens.list('api')).toHaveLength(1);

    const said = 'x'.repeat(200);
    const [one, other] = [
      await metadata.datasets.create({ name: 'one', who: '' }),
      await metadata.datasets.create({ name: 'other', who: '', mapFields: [said] }),
    ];
    const name = (names: readonly string[]) => metadata.datasets.update('one', () => ({ mapFields: names }));
    await expect(name([said])).rejects.toThrow(tooMuch);
    await name(['short']);
    await metadata.datasets.update('other', () => ({ mapFields: [] }));
    await name([said]);
    expect(metadata.datasets.get('one').mapFields).toEqual([said]);

    await metadata.fields.update(one, 'f', { description: said });
    await expect(metadata.fields.update(other, 'f', { description: said })).rejects.toThrow(tooMuch);
    await metadata.fields.update(other, 'f', { description: 'short' });
    await expect(metadata.fields.update(other, 'f', { description: said })).rejects.toThrow(tooMuch);
    await metadata.fields.update(one, 'f', { description: 'short' });
    await metadata.fields.update(other, 'f', { description: said });
  });

  it('what a monitor marks has no place where there is none, and is no error', async () => {
    for (const title of two) await metadata.annotations.create(annotation(title));
    await metadata.database
      .transaction()
      .execute((connection) => metadata.annotations.putAll([{ id: 'ann_x', ...annotation('three') }], connection));
    metadata.annotations.recordWrite();
    expect((await metadata.annotations.list()).map(({ title }) => title)).toEqual(two);
  });
});
