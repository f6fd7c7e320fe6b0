import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mergePartition, unmergedPartitions } from './parts.js';
import { addColumns, createTable, dropTable, queryNumbers } from './table.js';
import { realEngine } from '../testing/real-engine.js';

/** When real tables squeeze what is worth it. */

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
});

afterAll(() => close());

beforeEach(() => dropTable(engine, 1));

const rows = 30_000;
const hash = 'lower(hex(sipHash128(number)))';
const hashBytes = 32;

const text = (field: string) => ({ field, type: 'string', dictionary: false }) as const;

/** A part of which a text takes nearly all bytes: hexadecimal digits, of which ZSTD leaves half and LZ4 nearly all. */
const insert = (column: string): Promise<void> =>
  engine.execute(
    `INSERT INTO \`millrace\`.\`d1\` (_time, _sysTime, _seq, _row, \`${column}\`) ` +
      `SELECT toDateTime64('2026-01-01 00:00:00', 9, 'UTC') AS t, t, 1, number, ${hash} FROM numbers(${rows})`,
  );

/** Of the bytes of the text, how many its parts take. */
async function shareLeft(parts: number): Promise<number> {
  const sql =
    "SELECT toInt64(sum(data_compressed_bytes)), toInt64(count()) FROM system.parts WHERE active AND table = 'd1'";
  const [[bytes, count] = []] = await queryNumbers(engine, sql, 2);
  expect(count).toBe(BigInt(parts));
  return Number(bytes) / (hashBytes * Number(await rowsOf()));
}

const rowsOf = async (): Promise<bigint> =>
  (await queryNumbers(engine, 'SELECT toInt64(count()) FROM `millrace`.`d1`', 1))[0]![0]!;

async function mergeAll(): Promise<void> {
  for (const one of await unmergedPartitions(engine, 2 ** 40)) await mergePartition(engine, one);
}

it('long texts are squeezed by merges, also in a part that is alone', async () => {
  await createTable(engine, 1);
  await addColumns(engine, 1, [text('long')]);
  await insert('long#s');
  expect(await shareLeft(1)).toBeGreaterThan(0.8);
  await mergeAll();
  expect(await shareLeft(1)).toBeLessThan(0.65);
  await insert('long#s');
  expect(await shareLeft(2)).toBeGreaterThan(0.65);
  await mergeAll();
  expect(await shareLeft(1)).toBeLessThan(0.65);
});

it('short texts are what they are', async () => {
  await createTable(engine, 1);
  await addColumns(engine, 1, [{ ...text('short'), short: true }]);
  await insert('short#s');
  await mergeAll();
  expect(await shareLeft(1)).toBeGreaterThan(0.8);
});

const codecs = async (): Promise<readonly string[]> => {
  const { columns } = await engine.query(
    "SELECT compression_codec FROM system.columns WHERE table = 'd1' AND name LIKE '%#%' ORDER BY position",
    { format: 'JSONCompactColumns' },
  );
  return JSON.parse(Buffer.from(columns[0]!.values).toString()) as readonly string[];
};

it('a table that was made before merges squeezed has columns that are squeezed at once', async () => {
  await createTable(engine, 1);
  await addColumns(engine, 1, [text('long'), { field: 'rare', type: 'integer', sparse: true }]);
  expect(await codecs()).toEqual(['CODEC(Default)', 'CODEC(T64, Default)']);
  await engine.execute('ALTER TABLE `millrace`.`d1` REMOVE TTL');
  await addColumns(engine, 1, [text('new'), { field: 'few', type: 'datetime', sparse: true }]); // prettier-ignore
  expect(await codecs()).toEqual([
    'CODEC(Default)',
    'CODEC(T64, Default)',
    'CODEC(ZSTD(1))',
    'CODEC(Delta(8), ZSTD(1))',
  ]);
});
