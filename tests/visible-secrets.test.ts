import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { removeDirectory, temporaryDirectory } from './support/server-process.ts';

/** What other users and other programs of the machine see of a running server. */

const command = join(import.meta.dirname, '..', 'packages', 'cli', 'dist', 'main.js');
const token = 'xapt-00000000-0000-4000-8000-000000000002';

it('the owner’s token is neither in the list of processes nor in the environment of the engine', async () => {
  const directory = temporaryDirectory();
  const child = spawn(
    process.execPath,
    [command, 'serve', '--port', '0', '--data-dir', directory, '--admin-token', token, '--log-level', 'silent'],
    { env: { ...process.env, MILLRACE_ADMIN_TOKEN: token }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  try {
    await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    const pid = child.pid!;
    const engine = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toContain('millrace serve');
    for (const file of [`/proc/${pid}/cmdline`, `/proc/${engine}/cmdline`, `/proc/${engine}/environ`])
      expect(readFileSync(file, 'latin1')).not.toContain(token);
  } finally {
    child.kill('SIGKILL');
    await ended;
    removeDirectory(directory);
  }
}, 60_000);
