import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, openEmbedded, openRemote } from '@millrace/engine';
import { clickHouseLogin } from '../../../engine/src/testing/clickhouse.js';
import { type HttpFront, openHttpFront } from '../../../engine/src/testing/http-front.js';
import type { Settings } from '@millrace/http/settings/settings';
import { database } from '@millrace/storage/tables/database-name';

/**
 * With `TEST_ENGINE=remote` in the environment, servers and storages of tests use a ClickHouse
 * server, one per data directory.
 */
const isElsewhere = process.env['TEST_ENGINE'] === 'remote';

/** By data directory, so that a restarted server finds its events. */
const fronts = new Map<string, Promise<HttpFront>>();

function frontOf(directory: string): Promise<HttpFront> {
  const front = fronts.get(directory) ?? openHttpFront();
  fronts.set(directory, front);
  return front;
}

/** Settings for a server with the engine that the environment selects. */
export async function engineSettings(directory: string): Promise<Partial<Settings>> {
  // A restored directory has the embedded engine.
  if (!isElsewhere || existsSync(join(directory, 'engine'))) return {};
  const { user, password } = clickHouseLogin;
  return { clickhouseUrl: (await frontOf(directory)).url, clickhouseUser: user, clickhousePassword: password };
}

/** Call it when a directory is removed. */
export async function endEngineOf(directory: string): Promise<void> {
  const front = fronts.get(directory);
  fronts.delete(directory);
  await (await front)?.end();
}

/** Opens an engine without a server, as the environment selects; closing it ends it. */
export async function openEngineIn(directory: string): Promise<Engine> {
  if (!isElsewhere)
    return openEmbedded({ directory: join(directory, 'engine'), scratchDirectory: join(directory, 'scratch') });
  const { url } = await frontOf(directory);
  const engine = await openRemote({
    url,
    ...clickHouseLogin,
    database,
    owner: { id: randomUUID(), known: false },
  });
  const close = engine.close.bind(engine);
  return Object.assign(engine, {
    close: async () => {
      await close();
      await endEngineOf(directory);
    },
  });
}
