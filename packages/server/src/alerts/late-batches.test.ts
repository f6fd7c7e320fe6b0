import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, EngineError, type Insert } from '@millrace/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngineWorld } from '../testing/engine-world.js';
import { openReceiver, type Receiver } from './testing/receiver.js';

/** Monitors of matching events, when batches go into the engine out of order. */

const minute = 60_000;
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-late-'));
const settings = { dataDir, adminToken: 'xapt-00000000-0000-4000-8000-000000000002', notifyPrivateAddresses: true };
let ahead = 0;
const clock = (): number => Date.now() + ahead;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** An engine that refuses what has this text in it. */
const refusing =
  (text: string) =>
  (engine: Engine): Engine =>
    new Proxy(engine, {
      get: (target, name: keyof Engine) => {
        if (name === 'insert')
          return async (what: Insert) => {
            if (what.chunks.some((chunk) => Buffer.from(chunk).includes(text)))
              throw new EngineError('rejected', 'a test wants it');
            return engine.insert(what);
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });

/** What was told of, in order: by its key, since a stop in the middle of a delivery makes it come again. */
const told = (): readonly string[] => {
  const byKey = new Map(receiver.received.map(({ key, body }) => [key, body.event.matchedEvent as { text: string }]));
  return [...byKey.values()].map(({ text }) => text);
};
const isTold = async (...texts: readonly string[]): Promise<void> =>
  await expect.poll(told, { timeout: 20_000 }).toEqual(texts);

test('a batch that the engine refused is told of once it took it, and once only', async () => {
  const first = await openEngineWorld(settings, refusing('bad'), clock);
  await first.dataset('logs', [{ text: 'before' }]);
  const { body } = await first.send<{ id: string }>('POST', '/v2/notifiers', {
    name: 'n',
    properties: { webhook: { url: receiver.urlOf('/late') } },
  });
  const aplQuery = "logs | where text != ''";
  await first.send('POST', '/v2/monitors', { name: 'm', type: 'MatchEvent', aplQuery, notifierIds: [body.id] });
  await first.ingest('logs', [{ text: 'one' }]);
  await first.ingest('logs', [{ text: 'bad' }]);
  await first.ingest('logs', [{ text: 'two' }]);
  ahead += minute;
  await isTold('one', 'two');
  await first.close();

  const second = await openEngineWorld(settings, undefined, clock);
  await expect.poll(async () => (await second.apl('logs | count')).tables[0]!.columns, { timeout: 20_000 }).toEqual([[4]]); // prettier-ignore
  ahead += minute;
  await isTold('one', 'two', 'bad');
  await second.ingest('logs', [{ text: 'three' }]);
  ahead += minute;
  await isTold('one', 'two', 'bad', 'three');
  await second.close();
}, 60_000);
