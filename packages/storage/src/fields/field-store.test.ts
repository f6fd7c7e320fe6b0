import { expect, test } from 'vitest';
import type { SchemaChange } from './dataset.js';
import { FieldStore } from './field-store.js';
import { describeEachStore } from '@millrace/metadata/testing/metadata-stores';

describeEachStore((kind) => {
  test('fields come back as they were added, thousands at once and however they are named', async () => {
    const metadata = await kind.open();
    const store = new FieldStore(metadata.database);
    const odd = [
      '',
      ' ',
      "it's",
      '"q"',
      'back\\slash',
      'a\nb',
      'größe',
      '字',
      '\u{1F600}',
      '\u2028',
      'null',
      '[1]',
      'a#s',
      'nul\0in it',
      '\0',
    ];
    const many = Array.from({ length: 5000 }, (_, n) => `name ${n}`);
    const news: SchemaChange[] = [
      ...[...odd, ...many].map((field) => ({ field, type: 'string', where: 'overflow' }) as const),
      ...odd.map((field) => ({ field, type: 'integer', where: 'column' }) as const),
      { field: 'name 1', type: 'string', where: 'column' },
    ];
    await store.add(7, news);
    // A lost response is followed by a repetition.
    await store.add(7, news.slice(0, 100));
    await store.add(8, [{ field: 'a', type: 'float', where: 'column' }]);
    await store.add(9, []);
    const fields = new Map<number, SchemaChange[]>();
    // Chunks that end at any row.
    for await (const some of new FieldStore(metadata.database, 7).load())
      fields.set(some.datasetId, [...(fields.get(some.datasetId) ?? []), ...some.fields]);
    const sortChanges = (list: readonly SchemaChange[]): readonly string[] =>
      list.map((each) => JSON.stringify(each)).toSorted();
    expect([...fields.keys()]).toEqual([7, 8]);
    expect(sortChanges(fields.get(7)!)).toEqual(sortChanges(news));
    expect(fields.get(8)).toEqual([{ field: 'a', type: 'float', where: 'column' }]);
    await metadata.close();
  });

  test('fields without a column are forgotten, those of one dataset alone', async () => {
    const metadata = await kind.open();
    const store = new FieldStore(metadata.database);
    const field = (name: string, where: SchemaChange['where']): SchemaChange => ({
      field: name,
      type: 'string',
      where,
    });
    await store.add(1, [field('a', 'column'), field('b', 'overflow'), field('c', 'overflow')]);
    await store.add(2, [field('b', 'overflow')]);
    expect(await store.forgetOverflow(1)).toBe(2);
    const left = [];
    for await (const some of store.load()) left.push(some);
    expect(left).toEqual([
      { datasetId: 1, fields: [field('a', 'column')] },
      { datasetId: 2, fields: [field('b', 'overflow')] },
    ]);
    await metadata.close();
  });
});
