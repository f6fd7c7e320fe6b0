import { Producer } from '@platformatic/kafka';
import { expect, it } from 'vitest';
import { apl, createDataset } from '../support/apl.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../support/server-process.ts';
import { Broker } from './kafka/broker.ts';

/** A source that reads a real Kafka broker while the server and the broker are killed. */

const messages = 60_000;
const perSend = 2000;
const padding = 'x'.repeat(300);
/** Small batches, so that kills hit the middle of the topic. */
const env = {
  MILLRACE_LOG_LEVEL: 'silent',
  MILLRACE_SOURCE_PRIVATE_ADDRESSES: 'true',
  MILLRACE_SOURCE_BATCH_BYTES: '64KiB',
  MILLRACE_SOURCE_BATCH_AGE: '100ms',
};
const testMilliseconds = 600_000;

interface Status {
  readonly state: string;
  readonly problem?: string;
  readonly events: number;
  readonly lag?: number;
}

it(
  'every message is stored once, although the server and the broker are killed in the middle',
  async () => {
    const data = temporaryDirectory();
    const directory = temporaryDirectory();
    const broker = await Broker.create(directory);
    let server: ServerProcess | undefined;
    try {
      await broker.start();
      await produce(broker.address, 0, messages);
      server = await startServer(data, env);
      await createDataset(server, 'logs');
      const kafka = { brokers: [broker.address], topics: ['orders'] };
      const body = JSON.stringify({ name: 'orders', dataset: 'logs', properties: { kafka } });
      const { id } = (await request(server, '/v2/sources', { body })).body as { readonly id: string };

      let stored = 0;
      const kills: number[] = [];
      for (let kill = 0; kill < 3; kill++) {
        stored = await storedBeyond(server, stored + 4000 * (kill + 1));
        await server.kill();
        kills.push(stored);
        server = await startServer(data, env);
      }
      stored = await storedBeyond(server, stored + 4000);
      await broker.kill();
      kills.push(stored);
      await broker.start();
      // The topic was not read to its end before the last kill.
      expect(stored, kills.join()).toBeLessThan(messages);
      await produce(broker.address, messages, perSend);

      const total = messages + perSend;
      const path = `/v2/sources/${id}/status`;
      const address = server;
      await expect
        .poll(
          async () => {
            const { state, lag } = (await request(address, path)).body as Status;
            return { state, lag, stored: await countStored(address) };
          },
          { timeout: 240_000, interval: 500 },
        )
        .toEqual({ state: 'running', lag: 0, stored: total });
      const { columns } = (await apl(server, 'logs | summarize min(n), max(n)')).tables[0]!;
      const distinct = (await apl(server, 'logs | distinct n | count')).tables[0]!.columns[0]![0];
      // As many numbers as messages, all different, within their range: each of them once.
      expect([distinct, ...columns.map(([value]) => value)]).toEqual([total, 0, total - 1]);
    } finally {
      await server?.stop();
      await broker.kill();
      removeDirectory(data);
      removeDirectory(directory);
    }
  },
  testMilliseconds,
);

/** Sends numbered messages, spread over the partitions. */
async function produce(address: string, first: number, count: number): Promise<void> {
  const producer = new Producer({ clientId: 'test', bootstrapBrokers: [address], autocreateTopics: true, retries: 20 });
  try {
    for (let sent = 0; sent < count; sent += perSend)
      await producer.send({
        messages: Array.from({ length: perSend }, (_, i) => ({
          topic: 'orders',
          key: Buffer.from(String(first + sent + i)),
          value: Buffer.from(JSON.stringify({ n: first + sent + i, padding })),
        })),
      });
  } finally {
    await producer.close();
  }
}

async function countStored(server: ServerProcess): Promise<number> {
  return Number((await apl(server, 'logs | count')).tables[0]!.columns[0]![0]);
}

/** Waits until more events are stored; returns their number. */
async function storedBeyond(server: ServerProcess, count: number): Promise<number> {
  let stored = 0;
  await expect
    .poll(async () => (stored = await countStored(server)), { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(count);
  return stored;
}
