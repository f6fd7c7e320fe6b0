import childProcess from 'node:child_process';
import { type Millrace, openMillrace } from './millrace.js';
import { limitsOf, type MillraceOptions } from './options.js';
import { type ServerProcess, startServerProcess, stopServerProcess } from './server-process.js';
import { createProgramToken } from './store.js';

interface StartedServer {
  readonly server: ServerProcess;
  readonly token: string;
  readonly fresh: Set<string>;
}

/**
 * The servers of this process, by their options. They are properties of a module of Node: that is
 * the one object that test files of a worker share, since runners give each file its own globals
 * and modules.
 */
const sharedState = childProcess as unknown as { [servers]?: Map<string, Promise<StartedServer>> };
const servers = Symbol.for('@millrace/testing servers');

/**
 * Starts a server, or returns the one that this process started before with the same settings.
 * @throws Error with the server's log if it does not start; TypeError for an invalid option
 */
export async function startMillrace(options: MillraceOptions = {}): Promise<Millrace> {
  const limits = limitsOf(options);
  const known = (sharedState[servers] ??= new Map());
  const key = JSON.stringify([options.command, options.settings]);
  const started = known.get(key) ?? start(options, limits.startTimeout);
  known.set(key, started);
  const forget = (): boolean => known.delete(key);
  const { server, token, fresh } = await started.catch((error: unknown) => {
    forget();
    throw error;
  });
  server.process.once('exit', forget);
  const stop = (): Promise<void> => stopServerProcess(server);
  return openMillrace({ server, token, fresh, limits, stop });
}

async function start(options: MillraceOptions, startTimeout: number): Promise<StartedServer> {
  const server = await startServerProcess(options, startTimeout);
  return { server, token: await createProgramToken(server.url, server.ownerToken), fresh: new Set() };
}
