import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { ReferenceData } from '@millrace/apl';
import type { Logger } from 'pino';
import { Alerts, type AlertsOptions } from './alerts/alerts.js';
import { healthOf } from './alerts/health.js';
import { realSender } from './alerts/outbox/real-sender.js';
import { ownerSignIn, ownerToken } from './access/owner-token.js';
import { buildApp } from './http/app.js';
import type { AuditSink } from './http/audit.js';
import { applyRetention, ensureAuditDataset, finishCreations, finishDeletions } from './datasets/lifecycle.js';
import type { HeldDirectory } from './directory.js';
import type { EventData } from './datasets/event-data.js';
import { agingClock } from './metadata/aging-clock.js';
import type { Clock } from './metadata/clock.js';
import type { DatasetRef } from './metadata/datasets.js';
import type { Metadata } from './metadata/metadata.js';
import { metadataIn } from './metadata/open-metadata.js';
import { Metrics } from './metrics.js';
import { connectionLimit } from './http/connection-limit.js';
import { SilentConnections } from './http/silent-connections.js';
import type { Opened } from './async/opened.js';
import { consoleSite } from './routes/console-site.js';
import type { Deps } from './routes/deps.js';
import type { ErrorTranslator } from './http/error-answers.js';
import type { Route } from './http/route.js';
import { wholeTable } from './route-families.js';
import { signInPath } from './routes/sessions.js';
import type { RunningServer } from './server.js';
import { runEvery } from './async/run-every.js';
import { type Settings, variableOf } from './settings/settings.js';
import type { TlsFiles } from './http/tls.js';

/** What every part of the server shares. */
export interface Base {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For what is removed because of its age. */
  readonly aging: Clock;
  /** Of the file the settings name; it is read before anything is opened. */
  readonly modelPrices?: ReferenceData['modelPrices'] | undefined;
}

/** The part that holds the events and answers queries. */
export interface EventParts {
  readonly data: EventData;
  /** Routes that take events and queries. */
  readonly routes: readonly Route[];
  readonly checks: Deps['checks'];
  /** What monitors ask. */
  readonly monitored: Pick<AlertsOptions, 'source' | 'checkQuery'>;
  readonly translate: ErrorTranslator;
  readonly audit: AuditSink;
  /** Stores what is not stored yet and lets go of everything it opened over the directory. */
  close(): Promise<void>;
}

/** What there is before a server listens. */
interface Beginning extends Pick<Base, 'settings' | 'logger' | 'clock' | 'modelPrices'> {
  readonly held: HeldDirectory;
  readonly tls: TlsFiles | undefined;
  /** Shows a secret to the operator, once; returns whether it could be shown. */
  readonly showToken: (secret: string) => boolean;
  /** How many lines the logger could not write. */
  readonly lostLogLines?: () => number;
}

/**
 * Opens metadata and events over a directory, and listens.
 * @param opened closes what was opened
 */
export async function serve(
  { held, tls, showToken, lostLogLines = () => 0, ...given }: Beginning,
  opened: Opened,
): Promise<Omit<RunningServer, 'stop'>> {
  const { settings, logger, clock } = given;
  const metadata = await metadataIn(held.metadata, clock, {
    records: settings.maxResources,
    bytes: settings.maxResourceBytes,
  });
  opened.add(() => metadata.close());
  const metrics = new Metrics();
  opened.add(() => metrics.close());
  metrics.gauge('lost_log_lines', lostLogLines);
  const aging = agingClock(clock, (ahead) =>
    logger.warn(
      { aheadSeconds: Math.round(ahead / 1000) },
      'the clock is ahead of the time that has passed; retention and idempotency keys do not follow it before it has been so for a day',
    ),
  );
  const base: Base = { ...given, metadata, metrics, aging };
  const events = await held.openEvents(base);
  opened.add(() => events.close());

  const alerts = await Alerts.open({
    ...base,
    ...events.monitored,
    sender: realSender(settings),
    translate: events.translate,
    health: healthOf({ data: events.data, metrics, settings }),
  });
  opened.add(() => alerts.close());
  const deps: Deps = {
    metadata,
    data: events.data,
    metrics,
    clock,
    checks: events.checks,
    alerts,
    settings,
    site: consoleSite(settings),
  };
  await finishChanges(deps, logger);
  await ensureAuditDataset(deps);
  const token = await ownerToken(metadata, settings.adminToken);

  const app = buildApp({
    ...base,
    routes: wholeTable(events.routes, deps),
    audit: events.audit,
    translate: events.translate,
    ...(tls !== undefined && { tls }),
  });
  const silent = new SilentConnections(app.server, tls !== undefined, connectionLimit(settings.maxConnections));
  const stopping = new AbortController();
  const upkeep = [
    runEvery(settings.retentionInterval, () => removeOld({ ...deps, clock: aging }, logger, stopping.signal)),
    // Those that the engine could not take part in: a dataset without a place takes no events, and those of one that is gone take room.
    runEvery(
      settings.retentionInterval,
      () => finishChanges(deps, logger),
      (error) => logger.warn({ err: error }, 'it could not be found out which deleted datasets still have events'),
    ),
  ];
  opened.add(() => {
    stopping.abort();
    return closeWithin(settings.shutdownTimeout, { app, silent, upkeep });
  });
  alerts.start();
  await app.listen({ host: settings.host, port: settings.port });
  const address = app.server.address() as AddressInfo;
  warnOfPlainText(given, address);
  // Not before nothing can fail any more: it is shown this once, and above the message of a failed start nobody looks for it.
  if (token !== undefined) {
    if (showToken(token.secret)) await token.keep();
    else
      logger.error(
        `the owner's token could not be shown, and does not work: start again with a standard output that can be written, or make one with millrace token create owner --personal --data-dir ${resolve(settings.dataDir)}`,
      );
  }
  const url = urlOf(settings, address);
  const signInLink = async (): Promise<string | undefined> => {
    const code = settings.console ? await ownerSignIn(metadata, clock) : undefined;
    return code === undefined ? undefined : `${visitable(url)}${signInPath(code)}`;
  };
  return { url, signInLink };
}

async function removeOld(deps: Deps, logger: Logger, signal: AbortSignal): Promise<void> {
  const failed = ({ name }: DatasetRef, error: unknown): void =>
    logger.warn({ dataset: name, err: error }, 'events past their retention could not be removed');
  const removed = await applyRetention(deps, deps.clock, failed, signal);
  if (removed > 0) logger.info({ events: removed }, 'removed events past their retention');
}

/** Finishes the creations and deletions of datasets that failed half-way. */
async function finishChanges(deps: Deps, logger: Logger): Promise<void> {
  await finishCreations(deps, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'a dataset still has no place for events'),
  );
  await finishDeletions(deps, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'the events of a deleted dataset could not be removed'),
  );
}

/** How often connections without a request are closed during a stop. */
const idleMilliseconds = 250;
/** How long the first request of a connection may still take to arrive; it is told that the server stops. */
const silentMilliseconds = 1000;

/** What has to end before a stop goes on. */
interface Serving {
  readonly app: ReturnType<typeof buildApp>;
  readonly silent: SilentConnections;
  readonly upkeep: readonly (() => Promise<void>)[];
}

/**
 * Takes no more requests, and waits for those that run and for upkeep, such as the deletion of old events. Requests that take too long are cut off; upkeep
 * that does ends with the engine, and goes on after the next start.
 */
async function closeWithin(milliseconds: number, { app, silent, upkeep }: Serving): Promise<void> {
  const upkeepOver = Promise.all(upkeep.map((stop) => stop()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  void late.then(() => app.server.closeAllConnections());
  // Those that are idle at the beginning, or whose answer begins later, are closed by themselves. The others would be waited for until their clients close them.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleMilliseconds);
  const unused = setTimeout(() => silent.close(), silentMilliseconds);
  await app.close();
  clearInterval(idle);
  clearTimeout(unused);
  await Promise.race([upkeepOver, late]);
  clearTimeout(timer);
}

/** Nobody on the way may read a token. */
function warnOfPlainText(
  { settings: { host, tlsCert }, logger }: Pick<Base, 'settings' | 'logger'>,
  { address }: AddressInfo,
): void {
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

/** The address as a browser on this machine can open it: one that stands for every address is no address to go to. */
const visitable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');
