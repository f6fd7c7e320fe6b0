import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openLog } from './open.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const builtModule = new URL('../dist/index.js', import.meta.url).href;
const child = fileURLToPath(new URL('testing/append-until-killed.mjs', import.meta.url));
const rounds = 6;

let directory: string;

beforeAll(async () => {
  // The child is a separate process without a TypeScript loader: it runs a build of the sources
  // under test.
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-b', join(root, 'packages/log')]);
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-log-'));
});
afterEach(() => rm(directory, { recursive: true }));

/**
 * Lets a child append until it is killed some milliseconds after it is ready; returns the positions
 * it acknowledged, with the lengths of their payloads.
 */
function appendUntilKilled(milliseconds: number): Promise<Map<bigint, number>> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, builtModule, directory], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    running.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    running.stdout.on('data', (data: Buffer) => {
      if (output === '') setTimeout(() => running.kill('SIGKILL'), milliseconds);
      output += data.toString();
    });
    running.on('close', (_, signal) => {
      const lines = output.split('\n').slice(1, -1);
      if (signal === 'SIGKILL')
        resolve(new Map(lines.map((line) => [BigInt(line.split(' ')[0]!), Number(line.split(' ')[1])])));
      else reject(new Error(`the child ended by itself: ${errors}`));
    });
  });
}

test('a process killed again and again loses nothing it acknowledged', async () => {
  const acknowledged = new Map<bigint, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [position, bytes] of await appendUntilKilled(20 + round * 35)) {
      expect(acknowledged.has(position)).toBe(false);
      acknowledged.set(position, bytes);
    }
  }
  expect(acknowledged.size).toBeGreaterThan(rounds);

  const log = await openLog({ directory });
  let previous = 0n;
  for await (const { position, payload } of log.read()) {
    expect(position > previous).toBe(true);
    previous = position;
    expect(payload.every((byte) => byte === Number(position % 251n))).toBe(true);
    expect(payload.length).toBe(acknowledged.get(position) ?? payload.length);
    acknowledged.delete(position);
  }
  expect([...acknowledged.keys()]).toEqual([]);
  await log.close();
});

test('a second process is refused while the first lives, and admitted once the first was killed', async () => {
  const log = await openLog({ directory });
  await expect(appendUntilKilled(1)).rejects.toThrow(`in use by process ${process.pid} `);
  await log.close();
  await appendUntilKilled(1);
  await (await openLog({ directory })).close();
});
