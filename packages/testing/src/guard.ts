/**
 * Main script of the server's process: runs `millrace serve`, and ends it when the process that
 * started it has ended.
 *
 *     node guard.js <script of the command> <directory to remove> serve
 *
 * That process holds the other end of standard input, which the operating system closes however the
 * process ends.
 */
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Time for a graceful stop, which closes the engine. */
const stopMilliseconds = 5000;

const [command, directory] = process.argv.splice(1, 3).slice(1) as [string, string];
process.argv.splice(1, 0, command);

let isStopping = false;
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopMilliseconds).unref();
  // Without a listener the signal would end the process before the directory is removed.
  if (process.listenerCount('SIGTERM') === 0) process.exit();
  process.kill(process.pid, 'SIGTERM');
}

process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
for (const event of ['end', 'close', 'error']) process.stdin.once(event, stop);
process.stdin.resume();

await import(pathToFileURL(command).href);
