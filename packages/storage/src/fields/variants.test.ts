import { DEFAULT_BUDGET, FIELD_TYPES, type FieldType, physicalName } from '@millrace/events';
import { printExpr, quoteString } from '@millrace/sql';
import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realEngine } from '../testing/real-engine.js';
import { StoredDataset } from './dataset.js';
import { aplDataset } from './variants.js';

/** Values of rare fields, read from maps by the real engine. */

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());

/** A rare field of one type, as SQL. */
function rareReading(field: string, type: FieldType): string {
  const dataset = new StoredDataset(1, DEFAULT_BUDGET);
  dataset.learnFrom([{ field, type, where: 'overflow' }]);
  const found = aplDataset('d', dataset, new Set(), new Map()).fields.get(field);
  return printExpr(found!.readings[0]!.sql);
}

/** Result of the expression for each map, as text; null stays null. */
async function read(sql: string, maps: readonly Readonly<Record<string, string>>[]): Promise<readonly unknown[]> {
  const rows = maps.map((map) => {
    const parts = Object.entries(map).flat().map(quoteString).join(', ');
    return `CAST(map(${parts}), 'Map(String, String)')`;
  });
  const { columns } = await engine.query(
    `SELECT toString(${sql}) FROM (SELECT arrayJoin([${rows.join(', ')}]) AS \`_overflow\`)`,
    { format: 'JSONCompactColumns' },
  );
  return JSON.parse(Buffer.from(columns[0]!.values).toString()) as readonly unknown[];
}

/** Per type: the values in the map, and those a query reads. */
const values: Readonly<Record<FieldType, readonly (readonly [string, string | null])[]>> = {
  integer: [
    ['-9223372036854775808', '-9223372036854775808'],
    ['0', '0'],
  ],
  float: [
    ['-2.5', '-2.5'],
    ['1e300', '1e300'],
  ],
  boolean: [
    ['true', '1'],
    ['false', '0'],
  ],
  datetime: [['2026-01-02T03:04:05.678901234Z', '2026-01-02 03:04:05.678901234']],
  string: [
    ['', ''],
    ['null', 'null'],
    ['it\'s \\ "q"\n', 'it\'s \\ "q"\n'],
  ],
  array: [['[1,null,"x"]', '[1,null,"x"]']],
  map: [['{}', '{}']],
};

describe.each(FIELD_TYPES)('a rare field of type %s', (type) => {
  it.each(['plain', 'a.b.c', "it's `odd` \\", '', 'ключ#i'])('is read by its name alone: %s', async (field) => {
    const key = physicalName(field, type);
    const sql = rareReading(field, type);
    const others = Object.fromEntries(
      FIELD_TYPES.flatMap((other) => [
        ...(other === type ? [] : [[physicalName(field, other), '7']]),
        [physicalName(`${field}x`, other), '8'],
        [physicalName(`x${field}`, other), 'true'],
      ]),
    ) as Record<string, string>;
    const present = values[type];
    expect(
      await read(sql, [
        {},
        others,
        ...present.flatMap(([text]) => [{ [key]: text }, { ...others, [key]: text }, { [key]: text, ...others }]),
        others,
      ]),
    ).toEqual([null, null, ...present.flatMap(([, wanted]) => [wanted, wanted, wanted]), null]);
  });

  it('is looked up once', () => {
    const sql = rareReading('f', type);
    expect(sql.split(quoteString(physicalName('f', type)))).toHaveLength(2);
  });
});
