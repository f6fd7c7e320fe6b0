import { resolve } from 'node:path';
import { nodeFileSystem } from '@millrace/log';
import type { Logger } from 'pino';
import { lockDataDirectory } from './directory.js';
import type { LockedDirectory, RunningServer } from './types.js';
import type { Clock } from '@millrace/metadata/clock';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import type { Settings } from '@millrace/http/settings/settings';
import { readTls } from '@millrace/http/connections/tls';

export interface ServerOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Shows a secret to the operator, once; returns whether it could be shown. */
  readonly showToken: (secret: string) => boolean;
  readonly clock?: Clock;
  /** Number of lines that the logger could not write. */
  readonly lostLogLines?: () => number;
  /** Locks the data directory for this process; throws if another one has locked it. */
  readonly takeDirectory?: typeof lockDataDirectory;
}

/**
 * Opens the data directory and listens. Closes opened resources if a step fails.
 * @throws SettingError of a file that a setting names; Error with a message for the operator
 */
export const startServer = ({
  takeDirectory: take = lockDataDirectory,
  ...options
}: ServerOptions): Promise<RunningServer> =>
  CloseStack.run(async (opened) => {
    const { settings, logger } = options;
    const tls = readTls(settings);
    const modelPrices = settings.modelPrices === undefined ? undefined : await modelPricesIn(settings.modelPrices);
    const signIn = await signInOf(settings);
    // Fsyncs its name, so that acknowledged data in it is durable.
    await nodeFileSystem.makeDirectory(resolve(settings.dataDir));
    // First: another server, of a version with other tables, may be using the directory.
    const lock = await (settings.nodes === 'shared' ? asNode(settings, logger) : take(settings, logger));
    opened.add(() => lock.release());
    // Most of the program, loaded while the engine starts.
    const { serve } = await import('./run-server.js');
    const clock = options.clock ?? lock.node.clock;
    const served = await serve({ ...options, clock, modelPrices, signIn, lock, tls }, opened);
    return { ...served, stop: () => opened.close() };
  });

async function asNode(settings: Settings, logger: Logger): Promise<LockedDirectory> {
  const { joinCluster } = await import('./node.js');
  return joinCluster(settings, logger);
}

async function modelPricesIn(file: string) {
  const { loadModelPrices } = await import('../lookup-data/model-prices.js');
  return loadModelPrices(file);
}

async function signInOf(settings: Settings) {
  const { loadSignIn } = await import('../sign-in/sign-in-file.js');
  return loadSignIn(settings);
}
