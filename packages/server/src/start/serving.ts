import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Alerts } from '../alerts/alerts.js';
import { healthOf } from '../alerts/health.js';
import { realSender } from '../alerts/outbox/real-sender.js';
import { ownerSignIn, ownerToken } from '../access/owner-token.js';
import { buildApp } from '../http/app.js';
import { ensureAuditDataset } from '../datasets/lifecycle.js';
import { urlOf, visitable, warnOfPlainText } from './address.js';
import type { Base, HeldDirectory, RunningServer } from './parts.js';
import { closeWithin } from './stopping.js';
import { finishChanges, removeOld } from './upkeep.js';
import { agingClock } from '../metadata/aging-clock.js';
import { metadataIn } from '../metadata/open-metadata.js';
import { Metrics } from '../metrics.js';
import { connectionLimit } from '../http/connections/connection-limit.js';
import { SilentConnections } from '../http/connections/silent-connections.js';
import type { Opened } from '../async/opened.js';
import { consoleSite } from '../routes/console-site.js';
import { RefusedIngest } from '../http/recording/refused-ingest.js';
import type { Deps } from '../routes/deps.js';
import { wholeTable } from './route-families.js';
import { signInPath } from '../routes/access/sessions.js';
import { runEvery } from '../async/run-every.js';
import type { TlsFiles } from '../http/connections/tls.js';

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
  const { node } = held;
  const base: Base = { ...given, metadata, metrics, aging, node };
  const events = await held.openEvents(base);
  opened.add(() => events.close());

  const alerts = await Alerts.open({
    ...base,
    ...events.monitored,
    sender: realSender(settings),
    health: healthOf({ data: events.data, metrics, settings }),
    node,
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
    node,
    refused: new RefusedIngest(clock),
    site: consoleSite(settings),
  };
  await finishChanges(deps, logger);
  await ensureAuditDataset(deps);
  const token = await ownerToken(metadata, settings.adminToken);

  const app = buildApp({
    ...base,
    routes: wholeTable(events.routes, deps),
    audit: events.audit,
    refused: deps.refused,
    translate: events.translate,
    sharing: () => node.live(),
    ...(tls !== undefined && { tls }),
  });
  const silent = new SilentConnections(app.server, tls !== undefined, connectionLimit(settings.maxConnections));
  const stopping = new AbortController();
  const upkeep = [
    runEvery(settings.retentionInterval, async () => {
      if (node.onDuty()) await removeOld({ ...deps, clock: aging }, logger, stopping.signal);
    }),
    // Those that the engine could not take part in: a dataset without a place takes no events, and
    // those of one that is gone take room.
    runEvery(
      settings.retentionInterval,
      async () => {
        if (node.onDuty()) await finishChanges(deps, logger);
      },
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
  // Not before nothing can fail any more: it is shown this once, and above the message of a failed
  // start nobody looks for it.
  if (token !== undefined) {
    if (showToken(token.secret)) await token.keep();
    else
      logger.error(
        `the owner's token could not be shown, and does not work: start again with a standard output that can be written, or make one with millrace token create owner --personal --data-dir ${resolve(settings.dataDir)}`,
      );
  }
  const url = urlOf(settings, address);
  node.listening(url);
  const signInLink = async (): Promise<string | undefined> => {
    const code = settings.console ? await ownerSignIn(metadata, clock) : undefined;
    return code === undefined ? undefined : `${visitable(url)}${signInPath(code)}`;
  };
  return { url, signInLink };
}
