import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { createDataset, send } from './support/apl.ts';
import { millrace } from './support/command.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from './support/server-process.ts';

/** A server whose standard output or error is blocked continues as usual. */

const main = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'millrace.js');
const directory = temporaryDirectory();
afterAll(() => removeDirectory(directory));

describe('the log', { timeout: 60_000 }, () => {
  interface ServerExit {
    readonly statuses: ReadonlySet<number>;
    readonly code: number | null | 'too late';
  }
  const wellEnded = { statuses: new Set([200]), code: 0 };

  /**
   * Sends many requests that each log a line, and stops the server. The lines exceed the 64 KiB
   * that a pipe buffers.
   */
  async function runLoad(server: ServerProcess): Promise<ServerExit> {
    await createDataset(server, 'logs');
    const statuses = new Set<number>();
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(server, 'logs', '{"a":1}')));
      for (const { status } of answers) statuses.add(status);
    }
    statuses.add((await fetch(`${server.url}/healthz`)).status);
    const late = new Promise<'too late'>((resolve) => setTimeout(resolve, 10_000, 'too late').unref());
    const code = await Promise.race([server.stop(), late]);
    await server.kill();
    return { statuses, code };
  }

  it.runIf(existsSync('/dev/full'))('on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    expect(await runLoad(await startServer(join(directory, 'full'), {}, { log: full }))).toMatchObject(wellEnded);
    closeSync(full);
  });

  it('in a pipe without a reader', async () => {
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR);
    expect(await runLoad(await startServer(join(directory, 'unread'), {}, { log: pipe }))).toMatchObject(wellEnded);
    closeSync(pipe);
  });

  it('in a pipe whose reader is gone', async () => {
    const server = await startServer(join(directory, 'gone'));
    server.process.stderr!.destroy();
    expect(await runLoad(server)).toMatchObject(wellEnded);
  });
});

describe('standard output', { timeout: 60_000 }, () => {
  it.each(['gone', 'full'])(
    '%s: the server runs, and says how to get the token that could not be shown',
    async (kind) => {
      if (kind === 'full' && !existsSync('/dev/full')) return;
      const full = kind === 'full' ? openSync('/dev/full', 'w') : undefined;
      const data = join(directory, `output-${kind}`);
      const serve = ['serve', '--port', '0', '--data-dir', data];
      const child = spawn(process.execPath, [main, ...serve], { stdio: ['ignore', full ?? 'pipe', 'pipe'] });
      try {
        child.stdout?.destroy();
        const log = createInterface(child.stderr!)[Symbol.asyncIterator]();
        for (let line = ''; !line.includes(`token create owner --personal --data-dir ${data}`);) {
          const next = await log.next();
          expect(next.done).not.toBe(true);
          line = next.value as string;
          expect(line).not.toContain('xapt-');
        }
        const made = await millrace(['token', 'create', 'owner', '--personal', '--data-dir', data]);
        expect(made.out).toMatch(/^xapt-/);
        child.kill('SIGTERM');
        expect(await once(child, 'exit')).toEqual([0, null]);
      } finally {
        child.kill('SIGKILL');
      }
      if (full !== undefined) closeSync(full);
    },
  );
});
