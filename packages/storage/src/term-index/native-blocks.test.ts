import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realEngine } from '../testing/real-engine.js';
import { blocksIn } from './native-blocks.js';

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());

const bytesOf = async (sql: string): Promise<Uint8Array> => (await engine.query(sql, { format: 'Native' })).body;

it('has the numbers of all blocks in their order', async () => {
  const body = await bytesOf(
    'SELECT toUInt32(number * 3000000000), toUInt16(number) FROM numbers(1000) SETTINGS max_block_size = 300',
  );
  const blocks = [...blocksIn(body, [4, 2])];
  expect(blocks.length).toBeGreaterThan(1);
  const view = (one: Uint8Array): DataView => new DataView(one.buffer, one.byteOffset, one.byteLength);
  const rows = blocks.flatMap(({ rows, columns: [a, b] }) =>
    Array.from({ length: rows }, (_, i) => [view(a!).getUint32(4 * i, true), view(b!).getUint16(2 * i, true)]),
  );
  expect(rows).toEqual(Array.from({ length: 1000 }, (_, n) => [(n * 3_000_000_000) % 2 ** 32, n]));
});

it('has none without rows', async () => {
  expect([...blocksIn(await bytesOf('SELECT toUInt8(1) WHERE false'), [1])].map(({ rows }) => rows)).not.toContain(1);
});

it('is refused if it has other columns', async () => {
  const body = await bytesOf('SELECT toUInt8(1), toUInt8(2)');
  expect(() => [...blocksIn(body, [1])]).toThrow('1 columns were asked for, 2 came');
});
