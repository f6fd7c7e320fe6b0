import type { Engine } from '@millrace/engine';
import { DICTIONARY_STRING, parsePhysicalName } from '@millrace/events';
import { quoteString } from '@millrace/sql';
import { Type, type Static } from 'typebox';
import { optional } from '@millrace/api/schemas/parts';
import { isDatasetTable, datasetIdOfTable } from './all-tables.js';
import { queryShards, queryRows } from './query.js';
import { addIdentityIndexes } from './identifier-fields.js';
import { identityIndexName } from './identifier-index.js';
import { addColumns } from './table-of-dataset.js';

/**
 * How the table of a dataset stores its columns of fields. The layout was chosen from rows that may
 * be long gone, so a recreated table cannot derive it. Missing properties are false.
 */
export const Layout = Type.Array(
  Type.Object({
    name: Type.String({ description: 'Field and type.' }),
    dictionary: optional(Type.Boolean({ description: 'Whether its strings are dictionary-encoded.' })),
    squeezed: optional(Type.Boolean({ description: 'Whether it is compressed for size rather than speed.' })),
    identity: optional(Type.Boolean({ description: 'Whether it is an identifier field with an index.' })),
  }),
);
type Layout = Static<typeof Layout>;

/** The layouts of the tables of all datasets, as they are in the engine now, by dataset id. */
export async function layoutsOf(engine: Engine): Promise<ReadonlyMap<number, Readonly<Layout>>> {
  const ofIndexes = `SELECT toString(${datasetIdOfTable('table')}), name FROM system.data_skipping_indices WHERE ${isDatasetTable(engine, 'table')}`;
  const indexes = new Set(
    (await queryShards(engine, (shard) => queryRows<[string, string]>(shard, ofIndexes))).map(
      ([id, name]) => `${id} ${name}`,
    ),
  );
  const ofColumns =
    `SELECT toString(${datasetIdOfTable('table')}), name, type = ${quoteString(DICTIONARY_STRING)}, position(compression_codec, 'ZSTD') > 0 ` +
    `FROM system.columns WHERE ${isDatasetTable(engine, 'table')}`;
  const columns = await queryShards(engine, (shard) => queryRows<[string, string, number, number]>(shard, ofColumns));
  const layouts = new Map<number, Layout>();
  for (const [id, name, dictionary, squeezed] of columns) {
    const layout = layouts.get(Number(id)) ?? [];
    layouts.set(Number(id), layout);
    if (parsePhysicalName(name) === undefined) continue;
    layout.push({
      name,
      ...(dictionary !== 0 && { dictionary: true }),
      ...(squeezed !== 0 && { squeezed: true }),
      ...(indexes.has(`${id} ${identityIndexName(name)}`) && { identity: true }),
    });
  }
  return layouts;
}

/** Adds the columns of a layout and their indexes to a table that has no rows yet. */
export async function layOut(engine: Engine, datasetId: number, layout: Readonly<Layout>): Promise<void> {
  const fields = layout.flatMap(({ name, dictionary = false, squeezed = false }) => {
    const parsed = parsePhysicalName(name);
    return parsed === undefined ? [] : [{ ...parsed, dictionary, squeezed }];
  });
  await addColumns(engine, datasetId, fields);
  const identities = layout.filter(({ name, identity }) => identity === true && parsePhysicalName(name) !== undefined);
  await addIdentityIndexes(
    engine,
    datasetId,
    identities.map(({ name }) => name),
  );
}
