import { resolve } from 'node:path';
import { nodeFileSystem } from '@millrace/log';
import type { Logger } from 'pino';
import { takeDirectory } from './directory.js';
import type { HeldDirectory, RunningServer } from './parts.js';
import type { Clock } from '../metadata/clock.js';
import { Opened } from '../async/opened.js';
import type { Settings } from '../settings/settings.js';
import { readTls } from '../http/connections/tls.js';

export interface ServerOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Shows a secret to the operator, once; returns whether it could be shown. */
  readonly showToken: (secret: string) => boolean;
  readonly clock?: Clock;
  /** How many lines the logger could not write. */
  readonly lostLogLines?: () => number;
  /** Takes the data directory for this process; throws when another one has it. */
  readonly takeDirectory?: typeof takeDirectory;
}

/**
 * Opens the data directory and listens. What was opened is closed again when a step fails.
 * @throws SettingError of a file that a setting names; Error with a message for the operator
 */
export const startServer = ({
  takeDirectory: take = takeDirectory,
  ...options
}: ServerOptions): Promise<RunningServer> =>
  Opened.during(async (opened) => {
    const { settings, logger } = options;
    const tls = readTls(settings);
    const modelPrices = settings.modelPrices === undefined ? undefined : await modelPricesIn(settings.modelPrices);
    // Durable under its name, as what is acknowledged in it will be.
    await nodeFileSystem.makeDirectory(resolve(settings.dataDir));
    // Before anything else in it is opened: another server may be at work there, of a version whose
    // tables are others.
    const held = await (settings.nodes === 'shared' ? asNode(settings, logger) : take(settings, logger));
    opened.add(() => held.release());
    // By far the most of the program, loaded while the engine starts.
    const { serve } = await import('./serving.js');
    const clock = options.clock ?? held.node.clock;
    const served = await serve({ ...options, clock, modelPrices, held, tls }, opened);
    return { ...served, stop: () => opened.close() };
  });

async function asNode(settings: Settings, logger: Logger): Promise<HeldDirectory> {
  const { takeNode } = await import('./node.js');
  return takeNode(settings, logger);
}

async function modelPricesIn(file: string) {
  const { loadModelPrices } = await import('../reference/model-prices.js');
  return loadModelPrices(file);
}
