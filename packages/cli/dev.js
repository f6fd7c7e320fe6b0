/**
 * Runs the server and the console with reload, for development:
 *
 *     npm run dev
 *
 * The compiler watches the sources, Node restarts the server when its modules change, and Vite
 * serves the console with hot reload. `MILLRACE_DATA_DIR` and `MILLRACE_PORT` apply as for
 * `millrace serve`; by default the data are in the directory for temporary files.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const port = process.env['MILLRACE_PORT'] ?? '8080';
const token = process.env['MILLRACE_ADMIN_TOKEN'] ?? `xapt-${randomUUID()}`;

const start = (cwd, env, ...args) =>
  spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });

const children = [
  start(root, {}, 'node_modules/typescript/bin/tsc', '-b', '--watch', '--preserveWatchOutput'),
  start(
    root,
    {
      MILLRACE_PORT: port,
      MILLRACE_ADMIN_TOKEN: token,
      MILLRACE_DATA_DIR: process.env['MILLRACE_DATA_DIR'] ?? join(tmpdir(), 'millrace-dev'),
    },
    '--watch',
    '--watch-preserve-output',
    'packages/cli/dist/main.js',
    'serve',
  ),
  start(
    join(root, 'packages/console'),
    { MILLRACE_URL: `http://127.0.0.1:${port}`, MILLRACE_TOKEN: token },
    join(root, 'node_modules/vite/bin/vite.js'),
  ),
];

/** One without the others is of no use. */
function end() {
  for (const child of children) child.kill('SIGTERM');
}
for (const child of children) child.once('exit', end);
process.once('SIGINT', end);
process.once('SIGTERM', end);
