import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditDataset } from '../metadata/dataset-names.js';
import { type EngineWorld, openEngineWorld } from './engine-world.js';

let shared: Promise<EngineWorld> | undefined;

/**
 * The server that the test files of this process have one after the other, those that want nothing
 * but its defaults: one of its own costs a file half a second of CPU. Closing it takes away the
 * datasets and views that the file has made. It ends with the process.
 */
export async function sharedEngineWorld(): Promise<EngineWorld> {
  shared ??= start();
  const world = await shared;
  const close = async (): Promise<void> => {
    if (await isEmptied(world)) return;
    shared = undefined;
    await world.close();
  };
  return { ...world, close };
}

async function start(): Promise<EngineWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-world-'));
  removeWithProcess(dataDir);
  return openEngineWorld({ dataDir });
}

/** Its input ends with this process, however that ends; the engine may still write for a moment. */
function removeWithProcess(directory: string): void {
  const script = 'cat; until rm -rf "$1"; do sleep 1; done';
  const shell = spawn('sh', ['-c', script, 'sh', directory], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  (shell.stdin as Socket).unref();
}

interface Named {
  readonly id?: string;
  readonly name: string;
}

/** Takes away what a file has made. A server that cannot do that is not used again. */
async function isEmptied({ send }: EngineWorld): Promise<boolean> {
  for (const path of ['/v2/views', '/v2/datasets'])
    for (const { id, name } of (await send<readonly Named[]>('GET', path)).body) {
      if (name === auditDataset) continue;
      if ((await send('DELETE', `${path}/${encodeURIComponent(id ?? name)}`)).status >= 300) return false;
    }
  return true;
}
