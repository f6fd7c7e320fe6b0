import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../connection/client.js';
import { usage } from '../failure.js';
import { keepFilesPrivate } from '../private-files.js';
import { requireStartable } from './require-startable.js';
import { startFailure } from './start-failure.js';

/**
 * Runs work with a new, empty server on a free port of this machine, and deletes its data.
 * The environment is ignored: it may name the directory or token of a real server.
 * @throws Failure with a remedy when the server cannot start, and whatever the work throws
 */
export async function withTemporaryServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const [{ readSettings, startServer }, { pino }] = await Promise.all([import('@millrace/server'), import('pino')]);
  const directory = await mkdtemp(join(tmpdir(), 'millrace-cases-'));
  try {
    const flags = ['--data-dir', directory, '--port', '0', '--otlp-grpc', 'off', '--log-level', 'error'];
    const read = readSettings({}, flags);
    if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
    const { settings } = read;
    keepFilesPrivate();
    await requireStartable(settings, 'choose another directory with TMPDIR');
    let token = '';
    const server = await startServer({
      settings,
      logger: pino({ level: settings.logLevel, base: null }, process.stderr),
      showToken: (made) => {
        token = made;
        return true;
      },
      lostLogLines: () => 0,
    }).catch((error: unknown) => {
      throw startFailure(error, settings);
    });
    try {
      return await work(new Client({ url: server.url, token }));
    } finally {
      await server.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
