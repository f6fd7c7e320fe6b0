import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { ReferenceData } from '@millrace/apl';
import { nodeFileSystem } from '@millrace/log';
import type { Logger } from 'pino';
import { ownerToken } from './access/owner-token.js';
import { buildApp } from './app.js';
import type { AuditSink } from './audit.js';
import { applyRetention, ensureAuditDataset, finishDeletions } from './datasets.js';
import type { EventData } from './event-data.js';
import type { Clock } from './metadata/clock.js';
import { type Metadata, openMetadata } from './metadata/metadata.js';
import { Metrics } from './metrics.js';
import { Opened } from './opened.js';
import type { Deps } from './routes/deps.js';
import type { ErrorTranslator } from './routes/error-answers.js';
import { withOpenApi } from './routes/openapi.js';
import type { Route } from './routes/route.js';
import { resourceRoutes } from './routes/table.js';
import { runEvery } from './run-every.js';
import { loadModelPrices } from './reference/model-prices.js';
import { type Settings, variableOf } from './settings.js';
import { readTls } from './tls.js';

/** What every part of the server shares. */
export interface Base {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Of the file the settings name; it is read before anything is opened. */
  readonly modelPrices?: ReferenceData['modelPrices'] | undefined;
}

/** The part that holds the events and answers queries. */
export interface EventParts {
  readonly data: EventData;
  /** Routes that take events and queries. */
  readonly routes: readonly Route[];
  readonly checks: Deps['checks'];
  readonly translate: ErrorTranslator;
  readonly audit: AuditSink;
  /** Stores what is not stored yet and lets go of everything but the directory. */
  close(): Promise<void>;
}

/** A data directory that is this process's alone. */
export interface HeldDirectory {
  /** Opens what holds the events; to be called once. */
  openEvents(base: Base): Promise<EventParts>;
  /** Lets go of the directory, when everything in it has been closed. */
  release(): Promise<void>;
}

export interface ServerOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Takes the data directory for this process; throws when another one has it. */
  readonly takeDirectory: (settings: Settings) => Promise<HeldDirectory>;
  /** Shows a secret to the operator, once. */
  readonly showToken: (secret: string) => void;
  readonly clock?: Clock;
}

export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Finishes running requests, stores everything, and lets go of the data directory. */
  stop(): Promise<void>;
}

/**
 * Opens the data directory and listens. What was opened is closed again when a step fails.
 * @throws SettingError of a file that a setting names; Error with a message for the operator
 */
export const startServer = (options: ServerOptions): Promise<RunningServer> =>
  Opened.during(async (opened) => {
    const { settings, logger, clock = Date.now } = options;
    const tls = readTls(settings);
    const modelPrices = settings.modelPrices === undefined ? undefined : await loadModelPrices(settings.modelPrices);
    // Durable under its name, as what is acknowledged in it will be.
    await nodeFileSystem.makeDirectory(resolve(settings.dataDir));
    // Before anything else in it is opened: another server may be at work there, of a version whose tables are others.
    const held = await options.takeDirectory(settings);
    opened.add(() => held.release());
    const metadata = await openMetadata(join(settings.dataDir, 'metadata.sqlite'), clock);
    opened.add(() => metadata.close());
    const metrics = new Metrics();
    opened.add(() => metrics.close());
    const base: Base = { settings, metadata, metrics, logger, clock, modelPrices };
    const events = await held.openEvents(base);
    opened.add(() => events.close());

    const deps: Deps = { metadata, data: events.data, metrics, clock, checks: events.checks };
    await finishDeletions(deps);
    await ensureAuditDataset(deps);
    const token = await ownerToken(metadata, settings.adminToken);

    const app = buildApp({
      ...base,
      routes: withOpenApi([...events.routes, ...resourceRoutes(deps)]),
      audit: events.audit,
      translate: events.translate,
      ...(tls !== undefined && { tls }),
    });
    opened.add(() => closeWithin(settings.shutdownTimeout, app));
    opened.add(runEvery(settings.retentionInterval, () => removeOld(deps, logger)));
    // One that the engine could not take part in: the dataset is gone for everybody, and its events take room.
    opened.add(runEvery(settings.retentionInterval, () => finishDeletions(deps)));
    await app.listen({ host: settings.host, port: settings.port });
    const address = app.server.address() as AddressInfo;
    warnOfPlainText(options, address);
    // Not before nothing can fail any more: it is shown this once, and above the message of a failed start nobody looks for it.
    if (token !== undefined) {
      options.showToken(token.secret);
      await token.keep();
    }
    return { url: urlOf(settings, address), stop: () => opened.close() };
  });

async function removeOld(deps: Deps, logger: Logger): Promise<void> {
  const removed = await applyRetention(deps, deps.clock, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'events past their retention could not be removed'),
  );
  if (removed > 0) logger.info({ events: removed }, 'removed events past their retention');
}

/** Waits for running requests; those that take too long are cut off. */
async function closeWithin(milliseconds: number, app: ReturnType<typeof buildApp>): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  await app.close();
  clearTimeout(timer);
}

/** Nobody on the way may read a token. */
function warnOfPlainText({ settings: { host, tlsCert }, logger }: ServerOptions, { address }: AddressInfo): void {
  if (tlsCert !== undefined || /^(127\.|::1$|::ffff:127\.)/.test(address)) return;
  logger.warn(
    { host },
    `other machines can reach this server, and tokens and events travel in plain text: put a proxy with TLS in front, or set ${variableOf('tlsCert')} and ${variableOf('tlsKey')}`,
  );
}

function urlOf({ tlsCert }: Settings, { address, port, family }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${tlsCert === undefined ? 'http' : 'https'}://${host}:${port}`;
}
