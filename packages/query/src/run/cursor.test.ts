import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEmbedded, type EngineResult } from '@millrace/engine';
import { call, column, item, printQuery, select, type Select } from '@millrace/sql';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCursor, type RowPlace, addRowIds } from './cursor.js';
import { atOnce } from '@millrace/events';
import { formatRowIds } from './row-ids.js';

// The engine's datetimes reach from 1900 to 2262.
const place = fc.record({
  time: fc.bigInt({ min: -2_208_988_800_000_000_000n, max: 9_214_646_399_999_999_999n }),
  seq: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  row: fc.nat({ max: 0xffffffff }),
});

const order = (a: RowPlace, b: RowPlace): number =>
  a.time !== b.time ? (a.time < b.time ? -1 : 1) : a.seq !== b.seq ? (a.seq < b.seq ? -1 : 1) : a.row - b.row;

describe('cursors', () => {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-cursor-'));
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEmbedded({ directory: join(directory, 'engine'), scratchDirectory: join(directory, 'scratch') });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /**
   * How the parts of row IDs are formatted, in one statement: by the engine, or by the engine and
   * here.
   */
  const ways = {
    'in streams': async (places: readonly RowPlace[]) => (await readPlaces(places, addRowIds)).columns[0]!.values,
    'in pages': async (places: readonly RowPlace[]) => {
      const { columns, rows } = await readPlaces(places, (query) => query);
      return atOnce(formatRowIds(columns, rows));
    },
  };

  async function readPlaces(places: readonly RowPlace[], form: (query: Select) => Select): Promise<EngineResult> {
    const rows = places.map(({ time, seq, row }) => `(${time}, ${seq}, ${row})`).join(', ');
    const query = select({
      columns: [item(call('fromUnixTimestamp64Nano', column('time'))), item(column('seq')), item(column('row'))],
      from: { kind: 'table', name: 'places' },
    });
    const sql = printQuery(form(query)).replace(/`?places`?/, `values('time Int64, seq UInt64, row UInt32', ${rows})`);
    return engine.query(sql, { format: 'JSONCompactColumns' });
  }

  it.each(Object.entries(ways))('are the values written %s; they sort as the events do', (_, written) =>
    fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 50 }), async (places) => {
        const texts = JSON.parse(Buffer.from(await written(places)).toString()) as string[];
        expect(texts.map(parseCursor)).toEqual(places);
        const byText = texts.toSorted().map(parseCursor);
        expect(byText).toEqual(places.toSorted(order));
      }),
      { numRuns: 30 },
    ),
  );

  it('are none of no events', () =>
    expect(
      Buffer.from(
        atOnce(
          formatRowIds(
            Array.from({ length: 3 }, () => ({ values: Buffer.from('[]') })),
            0,
          ),
        ),
      ).toString(),
    ).toBe('[]'));

  it.each([
    '',
    'x',
    '0d3wo7v7e1oii-075a8c41710018b9-0000ecc5',
    '8000000000000000-0000000000000000',
    '8000000000000000-0000000000000000-0000000g',
    "8000000000000000-0000000000000000-00000000'; --",
    'F000000000000000-0000000000000000-00000000',
  ])('refuses %j', (text) => expect(parseCursor(text)).toBeUndefined());
});
