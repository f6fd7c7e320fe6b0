import { Alerts } from '@millrace/alerts/alerts';
import type { AlertsOptions } from '@millrace/alerts/alerts-options';
import { healthOf } from '@millrace/alerts/health';
import type { Route } from '@millrace/http/route';
import { RefusedIngest } from '@millrace/http/recording/rejected-ingest';
import { ensureAuditDataset } from '@millrace/metadata/datasets/lifecycle';
import { SourceRunner } from '@millrace/sources/managed/source-runner';
import type { CloseStack } from '@millrace/runtime/async/close-stack';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { Deps } from '../routes/deps.js';
import { finishChanges, removeOld } from './maintenance.js';
import { allRoutes } from './route-families.js';
import type { Base, EventParts } from './types.js';

/** What is the same for all organizations of a server. */
interface Common extends Pick<Deps, 'site' | 'signIn' | 'every'> {
  readonly sender: AlertsOptions['sender'];
  /** Absent for organizations other than the first. */
  readonly orgs?: Deps['orgs'];
}

interface ComposedServer {
  readonly deps: Deps;
  readonly sources: SourceRunner;
  readonly routes: readonly Route[];
}

/**
 * Puts monitors, sources and routes over the metadata and events of an organization.
 * @param opened closes monitors and sources
 */
export async function compose(
  base: Base,
  events: EventParts,
  common: Common,
  opened: CloseStack,
): Promise<ComposedServer> {
  const { metadata, metrics, clock, settings, node, logger } = base;
  const { sender, ...shared } = common;
  const alerts = await Alerts.open({
    ...base,
    ...events.monitored,
    sender,
    health: healthOf({ data: events.data, metrics, settings }),
    node,
  });
  opened.add(() => alerts.close());
  const sources = new SourceRunner({ ...base, sinkOf: events.sinkOf });
  opened.add(() => sources.close());
  const deps: Deps = {
    metadata,
    data: events.data,
    metrics,
    clock,
    checks: events.checks,
    alerts,
    sources,
    settings,
    node,
    refused: new RefusedIngest(clock),
    ...shared,
  };
  await finishChanges(deps, logger);
  await ensureAuditDataset(deps);
  return { deps, sources, routes: allRoutes(events.routes, deps) };
}

/**
 * Starts the maintenance of an organization's datasets.
 * @param signal ends it
 * @returns functions that stop it
 */
export function startUpkeep(
  deps: Deps,
  { settings, logger, retentionClock, node }: Base,
  signal: AbortSignal,
): (() => Promise<void>)[] {
  return [
    runEvery(settings.retentionInterval, async () => {
      if (node.isLeader()) await removeOld({ ...deps, clock: retentionClock }, logger, signal);
    }),
    // Changes that the engine missed: a dataset without a table accepts no events, and events of a
    // deleted dataset take up space.
    runEvery(
      settings.retentionInterval,
      async () => {
        if (node.isLeader()) await finishChanges(deps, logger);
      },
      (error) => logger.warn({ err: error }, 'could not list deleted datasets that still have events'),
    ),
  ];
}
