import { warnOfReservedNames } from './reserved-names.js';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { realSender } from '@millrace/alerts/outbox/real-sender';
import { ownerSignIn, ownerToken } from '@millrace/http/access/owner-token';
import { buildApp } from '@millrace/http/app';
import { Orgs } from './orgs.js';
import { compose, startUpkeep } from './compose.js';
import { urlOf, browserUrl, warnOfPlainText } from './address.js';
import { warnOfConsoleAddress } from './console-address.js';
import type { Base, LockedDirectory, RunningServer } from './types.js';
import { openOtlpGrpc } from './otlp-grpc.js';
import { closeWithin } from './shutdown.js';
import { retentionClock } from '@millrace/metadata/retention-clock';
import { metadataIn } from '@millrace/metadata/open-metadata';
import { Metrics } from '@millrace/http/metrics';
import { connectionLimit } from '@millrace/http/connections/connection-limit';
import { SilentConnections } from '@millrace/http/connections/idle-connections';
import type { CloseStack } from '@millrace/runtime/async/close-stack';
import { SignIn } from '../sign-in/sign-in.js';
import { checkProvisionDirectory, noFiles, provision } from '../provisioning/provision.js';
import { noSignIn, type SignInConfig } from '../sign-in/sign-in-file.js';
import { consoleSite } from '../routes/console-site.js';
import { signInPath } from '../routes/access/sessions.js';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { TlsFiles } from '@millrace/http/connections/tls';

/** State before a server listens. */
interface StartState extends Pick<Base, 'settings' | 'logger' | 'clock' | 'modelPrices'> {
  readonly signIn?: SignInConfig;
  readonly lock: LockedDirectory;
  readonly tls: TlsFiles | undefined;
  /** Shows a secret to the operator, once; returns whether it could be shown. */
  readonly showToken: (secret: string) => boolean;
  /** Number of lines that the logger could not write. */
  readonly lostLogLines?: () => number;
}

/**
 * Opens metadata and events over a directory, and listens.
 * @param opened closes the opened resources
 */
export async function serve(
  { lock, tls, showToken, lostLogLines = () => 0, ...given }: StartState,
  opened: CloseStack,
): Promise<Omit<RunningServer, 'stop'>> {
  const { settings, logger, clock } = given;
  const metadata = await metadataIn(lock.metadata, clock, {
    records: settings.maxResources,
    bytes: settings.maxResourceBytes,
  });
  // Closed with the directory that opened it: a node leaves the cluster after everything else.
  warnOfReservedNames(metadata, logger);
  const metrics = new Metrics();
  opened.add(() => metrics.close());
  metrics.gauge('lost_log_lines', lostLogLines);
  const aging = retentionClock(clock, (ahead) =>
    logger.warn(
      { aheadSeconds: Math.round(ahead / 1000) },
      'the clock is ahead of the time that has passed; retention and idempotency keys do not follow it before it has been so for a day',
    ),
  );
  const { node } = lock;
  const base: Base = { ...given, metadata, metrics, retentionClock: aging, node };
  const events = await lock.openEvents(base);
  opened.add(() => events.close());

  const sender = realSender(settings);
  const site = consoleSite(settings);
  const every = { all: () => orgs.all() };
  const signIn = new SignIn(given.signIn ?? noSignIn, { settings, metadata, clock, every });
  const orgs = await Orgs.load({ base, shared: events.shared, sender, site, signIn });
  opened.add(() => orgs.close());
  const { deps, sources, routes } = await compose(base, events, { sender, site, signIn, every, orgs }, opened);
  const { alerts } = deps;
  const token = await ownerToken(metadata, settings.adminToken);

  const app = buildApp({
    orgId: orgs.primaryId,
    ...base,
    routes,
    tenancy: orgs,
    audit: events.audit,
    refused: deps.refused,
    translate: events.translate,
    sharing: () => node.live(),
    ...(tls !== undefined && { tls }),
  });
  const silent = new SilentConnections(app.server, tls !== undefined, connectionLimit(settings.maxConnections));
  const stopping = new AbortController();
  const applied = noFiles();
  const provisionFiles = async (): Promise<void> => {
    if (settings.provisionDir !== undefined && node.isLeader())
      await provision(settings.provisionDir, deps, logger, applied);
  };
  if (settings.provisionDir !== undefined) await checkProvisionDirectory(settings.provisionDir);
  const upkeep = [
    ...(settings.provisionDir === undefined ? [] : [runEvery(settings.provisionInterval, provisionFiles)]),
    ...startUpkeep(deps, base, stopping.signal),
  ];
  let grpc: Awaited<ReturnType<typeof openOtlpGrpc>>;
  opened.add(async () => {
    stopping.abort();
    await Promise.all([
      grpc?.close(settings.shutdownTimeout),
      closeWithin(settings.shutdownTimeout, { app, silent, upkeep }),
    ]);
  });
  await provisionFiles();
  alerts.start();
  sources.start();
  await app.listen({ host: settings.host, port: settings.port });
  const address = app.server.address() as AddressInfo;
  warnOfPlainText(given, address);
  void warnOfConsoleAddress(given, stopping.signal);
  grpc = await openOtlpGrpc(base, app, tls);
  // Only after startup can no longer fail: the token is shown once, and an error message after it
  // would hide it.
  if (token !== undefined) {
    if (showToken(token.secret)) await token.keep();
    else
      logger.error(
        `the owner's token could not be shown, and does not work: start again with a standard output that can be written, or make one with millrace token create owner --personal --data-dir ${resolve(settings.dataDir)}`,
      );
  }
  const url = urlOf(settings, address);
  node.recordAddress(url);
  if (settings.selfMetrics !== undefined) {
    const write = events.writeMetrics(settings.selfMetrics, `${hostname()}:${address.port}`);
    upkeep.push(runEvery(settings.selfMetricsInterval, write, undefined, { atOnce: true }));
  }
  void orgs.openAll();
  const signInLink = async (): Promise<string | undefined> => {
    const code = settings.console ? await ownerSignIn(metadata, clock) : undefined;
    return code === undefined ? undefined : `${browserUrl(url)}${signInPath(code)}`;
  };
  return { url, signInLink, ...(grpc !== undefined && { otlpGrpcPort: grpc.address.port }) };
}
