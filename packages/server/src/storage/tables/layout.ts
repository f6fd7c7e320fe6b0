import type { Engine } from '@millrace/engine';
import { DICTIONARY_STRING, parsePhysicalName } from '@millrace/events';
import { quoteString } from '@millrace/sql';
import { Type, type Static } from 'typebox';
import { optional } from '../../schemas/parts.js';
import { aboutDatasets, datasetIn } from './all-tables.js';
import { askShards, queryRows } from './ask.js';
import { addIdentityIndexes } from './identifying.js';
import { identityIndexName } from './identity-index.js';
import { addColumns } from './table-of-dataset.js';

/**
 * How the table of a dataset stores its columns of fields. This was decided by rows that may be
 * long gone, so a table made anew cannot find it out. Members that are left out are false.
 */
export const Layout = Type.Array(
  Type.Object({
    name: Type.String({ description: 'Field and type.' }),
    dictionary: optional(Type.Boolean({ description: 'Its strings repeat.' })),
    squeezed: optional(Type.Boolean({ description: 'It is compressed for space rather than speed.' })),
    identity: optional(Type.Boolean({ description: 'Its values identify something and have an index.' })),
  }),
);
type Layout = Static<typeof Layout>;

/** The layouts of the tables of all datasets, as they are in the engine now, by dataset id. */
export async function layoutsOf(engine: Engine): Promise<ReadonlyMap<number, Readonly<Layout>>> {
  const ofIndexes = `SELECT toString(${datasetIn('table')}), name FROM system.data_skipping_indices WHERE ${aboutDatasets('table')}`;
  const indexes = new Set(
    (await askShards(engine, (shard) => queryRows<[string, string]>(shard, ofIndexes))).map(
      ([id, name]) => `${id} ${name}`,
    ),
  );
  const ofColumns =
    `SELECT toString(${datasetIn('table')}), name, type = ${quoteString(DICTIONARY_STRING)}, position(compression_codec, 'ZSTD') > 0 ` +
    `FROM system.columns WHERE ${aboutDatasets('table')}`;
  const columns = await askShards(engine, (shard) => queryRows<[string, string, number, number]>(shard, ofColumns));
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
