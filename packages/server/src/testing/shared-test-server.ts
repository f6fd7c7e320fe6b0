import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditDataset } from '@millrace/metadata/dataset-names';
import { type EngineTestServer, openEngineTestServer } from './engine-test-server.js';

let sharedServer: Promise<EngineTestServer> | undefined;

/**
 * Server that the test files of this process share, one after another, if they need only default
 * settings: starting one per file costs half a second of CPU. Closing it deletes the datasets and
 * views that the file created. It ends with the process.
 */
export async function sharedTestServer(): Promise<EngineTestServer> {
  sharedServer ??= start();
  const world = await sharedServer;
  const close = async (): Promise<void> => {
    if (await isEmptied(world)) return;
    sharedServer = undefined;
    await world.close();
  };
  return { ...world, close };
}

async function start(): Promise<EngineTestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-world-'));
  removeWithProcess(dataDir);
  return openEngineTestServer({ dataDir });
}

/** Its input ends with this process, however that ends; the engine may still write for a moment. */
function removeWithProcess(directory: string): void {
  const script = 'cat; until rm -rf "$1"; do sleep 1; done';
  const shell = spawn('sh', ['-c', script, 'sh', directory], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  (shell.stdin as Socket).unref();
}

interface NamedResource {
  readonly id?: string;
  readonly name: string;
}

/** Deletes the resources of a test file. A server that fails to is not reused. */
async function isEmptied({ send }: EngineTestServer): Promise<boolean> {
  for (const path of ['/v2/views', '/v2/datasets'])
    for (const { id, name } of (await send<readonly NamedResource[]>('GET', path)).body) {
      if (name === auditDataset) continue;
      if ((await send('DELETE', `${path}/${encodeURIComponent(id ?? name)}`)).status >= 300) return false;
    }
  return true;
}
