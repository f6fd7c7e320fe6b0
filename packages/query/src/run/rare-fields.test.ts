import { describe, expect, it } from 'vitest';
import { mergeRareFields } from './rare-fields.js';

const rest = (rows: readonly (Readonly<Record<string, string>> | null)[]): Uint8Array =>
  Buffer.from(JSON.stringify(rows.map((row) => row && JSON.stringify(row))));
const output = (name: string) => ({ name, alias: name, types: [], typeName: '', json: true });
const plenty = { max: 1_000_000 };
const tableOf = (rows: number, column: string) => ({ output: [output('a')], columns: [Buffer.from(column)], rows });

describe('rare fields', () => {
  it('become columns, null where an event has none', async () => {
    const table = await mergeRareFields(
      tableOf(3, '[1,null,3]'),
      rest([{ 'x#i': '7' }, null, { 'x#s': 'y', 'z#b': 'true' }]),
      plenty,
    );
    expect(table.output.map(({ name, typeName }) => `${name} ${typeName}`)).toEqual([
      'a ',
      'x integer|string',
      'z boolean',
    ]);
    expect(table.columns.map(String)).toEqual(['[1,null,3]', '[7,null,"y"]', '[null,null,true]']);
  });

  it('fill the gaps of a column of the same name', async () => {
    const table = await mergeRareFields(
      tableOf(3, '[1,null,null]'),
      rest([{ 'a#i': '9' }, { 'a#i': '2' }, null]),
      plenty,
    );
    expect(table.columns.map(String)).toEqual(['[1,2,null]']);
  });

  it('are refused before they are made if most of a large table would be empty', async () => {
    const rows = Array.from({ length: 1000 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${row}_${i}#i`, '1'])),
    );
    const table = tableOf(1000, JSON.stringify(rows.map(() => null)));
    await expect(mergeRareFields(table, rest(rows), { max: 256 * 2 ** 20 })).rejects.toMatchObject({
      code: 'result-limit',
    });
  });
});
