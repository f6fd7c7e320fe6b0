import { join } from 'node:path';
import { openLog } from '@millrace/log';
import type { TenantOptions } from '@millrace/http/choose-tenant';
import { Metrics } from '@millrace/http/metrics';
import { openMetadata } from '@millrace/metadata/metadata';
import type { Metadata } from '@millrace/metadata/metadata';
import { metadataName } from '@millrace/metadata/sqlite';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { Deps } from '../routes/deps.js';
import { compose, startUpkeep } from './compose.js';
import { engineOfOrg } from '@millrace/storage/tables/database-name';
import { openEvents } from './events.js';
import type { SharedParts } from './shared-parts.js';
import type { Base } from './types.js';
import { settingsOfOrg } from '../orgs/org-settings.js';
import { measureSeconds, OrgUsage } from '../orgs/org-usage.js';
import type { EveryOrg } from '../orgs/people.js';
import type { OrgEntry } from '../orgs/registry.js';
import type { AlertsOptions } from '@millrace/alerts/alerts-options';

/** What the server has for all of its organizations. */
export interface ServerParts {
  /** Of the first organization. */
  readonly base: Base;
  readonly shared: SharedParts;
  readonly sender: AlertsOptions['sender'];
  readonly site: Deps['site'];
  readonly signIn: Deps['signIn'];
}

/** An organization that serves requests and runs its monitors. */
export interface OpenOrg {
  readonly metadata: Metadata;
  readonly served: TenantOptions;
  readonly usage: OrgUsage;
  /** Stores pending data and closes everything of the organization. */
  close(): Promise<void>;
}

/**
 * Opens an organization: its metadata and log, its tables in the engine of all, and its monitors.
 * @param limitsOf reads its limits, which may change
 */
export const openOrg = (
  { id, number }: OrgEntry,
  limitsOf: () => OrgEntry['limits'],
  { base: first, shared, sender, site, signIn }: ServerParts,
  every: EveryOrg,
): Promise<OpenOrg> =>
  CloseStack.run(async (opened) => {
    const settings = settingsOfOrg(first.settings, id);
    const { clock } = first;
    const logger = first.logger.child({ org: id });
    const log = await openLog({ directory: join(settings.dataDir, 'log'), limits: settings });
    opened.add(() => log.close());
    const metadata = await openMetadata(join(settings.dataDir, metadataName), clock, {
      records: settings.maxResources,
      bytes: settings.maxResourceBytes,
    });
    opened.add(() => metadata.close());
    if (metadata.datasets.orgNumber !== number)
      throw new Error(`${settings.dataDir} has the files of another organization: directories were exchanged`);
    const metrics = new Metrics();
    opened.add(() => metrics.close());
    const usage = new OrgUsage(limitsOf, clock);
    const base: Base = { ...first, settings, logger, metadata, metrics, limits: { usage, limitsOf } };
    const events = await openEvents(base, { kind: 'logged', log, engine: Promise.resolve(shared.engine), shared });
    opened.add(() => events.close());
    const { deps, sources, routes } = await compose(base, events, { sender, site, signIn, every }, opened);
    const stopping = new AbortController();
    const measure = (): Promise<void> => usage.measure(engineOfOrg(shared.engine, number));
    const upkeep = [
      ...startUpkeep(deps, base, stopping.signal),
      runEvery(measureSeconds * 1000, measure, undefined, { atOnce: true }),
    ];
    opened.add(async () => {
      stopping.abort();
      await Promise.all(upkeep.map((stop) => stop()));
    });
    deps.alerts.start();
    sources.start();
    return {
      metadata,
      served: { settings, metadata, routes, metrics, audit: events.audit, refused: deps.refused, clock },
      usage,
      close: () => opened.close(),
    };
  });
