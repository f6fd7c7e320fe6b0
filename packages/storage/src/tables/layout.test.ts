import type { Engine } from '@millrace/engine';
import { FIELD_TYPES, physicalName } from '@millrace/events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realEngine } from '../testing/real-engine.js';
import { addIdentityIndexes } from './identifier-fields.js';
import { layOut, layoutsOf } from './layout.js';
import { addColumns, createTable } from './table-of-dataset.js';

/** Tables that are recreated, with a real engine. */

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());

/** The columns and indexes of a table as the engine describes them. */
async function describeTable(table: string): Promise<readonly string[]> {
  const sql =
    `SELECT * FROM (SELECT name, type, compression_codec AS how FROM system.columns WHERE table = '${table}' ` +
    `UNION ALL SELECT name, expr, type_full FROM system.data_skipping_indices WHERE table = '${table}') ORDER BY ALL`;
  return Buffer.from((await engine.query(sql, { format: 'TabSeparated' })).body)
    .toString()
    .trimEnd()
    .split('\n');
}

test('a re-created table keeps every kind of column as the first one did', async () => {
  const choices = [false, true];
  const columns = FIELD_TYPES.flatMap((type) =>
    choices.flatMap((dictionary) =>
      choices.map((squeezed) => ({ field: `it's \`a\`.${dictionary} ${squeezed}`, type, dictionary, squeezed })),
    ),
  );
  for (const id of [1, 2, 3]) await createTable(engine, id);
  await addColumns(engine, 1, columns);
  const identifying = [columns[0]!, columns[3]!].map(({ field }) => physicalName(field, 'string'));
  await addIdentityIndexes(engine, 1, identifying);

  const layouts = await layoutsOf(engine);
  expect(layouts.get(1)).toHaveLength(columns.length);
  expect(layouts.get(3)).toEqual([]);
  await layOut(engine, 2, layouts.get(1)!);
  await layOut(engine, 3, []);

  const first = await describeTable('d1');
  expect(first.filter((line) => line.startsWith('identity_'))).toHaveLength(2);
  expect(await describeTable('d2')).toEqual(first);
});
