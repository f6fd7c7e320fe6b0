import { gzipSync } from 'node:zlib';
import { ColumnBudget, DEFAULT_LIMITS } from '@millrace/events';
import { expect, test } from 'vitest';
import { pack } from '../bytes/pack.js';
import { type BodyOptions, encodeBody } from '../encode-body.js';
import { Batches } from './batches.js';

/** Batches of the forward protocol, with counted stores. */
function batches() {
  const stored: number[] = [];
  const lost: unknown[] = [];
  const target = {
    name: 'logs',
    mapFields: new Set(),
    stored: { id: 1, fields: { size: 0, has: () => false }, placement: new ColumnBudget() } as never,
  };
  const deps = {
    arrivalClock: () => 1_790_000_000_000_000_000n,
    limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 1 << 20 },
    encoders: {
      usageOf: () => ({ all: 0, own: 0 }),
      encode: async (sent: Uint8Array, options: BodyOptions) =>
        encodeBody(sent, options, { place: ({ uses }) => uses.map(() => true) }),
    },
    answered: () => undefined,
    targets: { find: async () => target },
    storage: {
      pendingBytes: 0,
      intake: {
        checkRoom: () => undefined,
        append: async (_: unknown, { ingested }: { ingested: number }) => (stored.push(ingested), { position: 1n }),
      },
    },
  } as never;
  const logger = { error: (what: object) => void lost.push(what), warn: () => undefined } as never;
  return { all: new Batches({ protocol: 'fluentd', dataset: 'logs', form: '' }, deps, logger), stored, lost };
}

test('an invalid message is isolated by halving the batch, and the others are stored', async () => {
  const { all, stored, lost } = batches();
  const message = pack(['tag', 1_790_000_000, { message: 'x' }]);
  const bomb = pack(['tag', gzipSync(Buffer.alloc(4 << 20)), { compressed: 'gzip' }]);
  for (let i = 0; i < 1000; i++) void all.add(i === 500 ? bomb : message);
  await all.close();
  expect(stored.reduce((sum, count) => sum + count, 0)).toBe(999);
  expect(stored.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(1000)));
  expect(lost).toHaveLength(1);
});
