import type { MonitorStatus, ServerHealth, StoredAcknowledgment, StoredMonitor } from '@millrace/api/schemas/monitor';
import { timestamp } from '@millrace/metadata/clock';
import type { AlertsOptions } from './alerts-options.js';
import type { Label } from './evaluate/result-table.js';
import { healthMonitor } from './health.js';
import { acknowledgedGroups } from './routing/acknowledged-groups.js';
import { inhibitionOf } from './routing/inhibition.js';
import { silencedUntil } from './silences/silenced-until.js';
import { type MonitorSnapshot, runsOf } from './state/records.js';
import { type GroupState, isOpenMonitor, type MonitorState } from './state/state.js';
import { statusOf, toApiRun } from './state/status.js';

/** How monitors stand, and what users have acknowledged. */

interface StateOptions extends Pick<AlertsOptions, 'metadata' | 'settings' | 'clock'> {
  /** Current states of all monitors. */
  readonly stands: () => Promise<ReadonlyMap<string, MonitorSnapshot>>;
  /** When the runs of the server's own monitor began to be counted. */
  readonly since: string;
}

/** Runs shown for the health monitor, as in the list of other monitors. */
const healthRuns = 30;

export class MonitorStates {
  readonly #options: StateOptions;

  constructor(options: StateOptions) {
    this.#options = options;
  }

  /** How all monitors stand. */
  async status(): Promise<readonly MonitorStatus[]> {
    const { metadata, clock, settings } = this.#options;
    const now = clock();
    const stands = await this.#options.stands();
    const silences = await metadata.silences.list();
    const acknowledgments = await metadata.acknowledgments.list();
    const isOpen = (id: string): boolean => isOpenMonitor(stands.get(id));
    return (await metadata.monitors.list()).map((monitor) => ({
      ...statusOf(monitor, stands.get(monitor.id), now, settings.statusGroups, acknowledgments),
      ...silencedUntil(monitor, silences, now),
      ...(inhibitionOf(monitor, isOpen) !== undefined && { inhibited: true }),
    }));
  }

  /** State and recent runs of the health monitor. */
  async ownHealth(): Promise<ServerHealth> {
    const { metadata, clock, settings } = this.#options;
    const monitor = await this.ownMonitor();
    const runs = await runsOf(monitor.id, metadata.database);
    return {
      ...statusOf(monitor, (await this.#options.stands()).get(monitor.id), clock(), settings.statusGroups),
      notifierIds: [...monitor.notifierIds],
      runs: runs.slice(0, healthRuns).map(toApiRun),
    };
  }

  /** The built-in health monitor. */
  async ownMonitor(): Promise<StoredMonitor> {
    const { metadata, settings } = this.#options;
    const notified = (await metadata.notifiers.list()).filter(({ id, name }) =>
      [id, name].some((each) => settings.healthNotifiers.includes(each)),
    );
    return healthMonitor(
      this.#options.since,
      notified.map(({ id }) => id),
    );
  }

  /**
   * Acknowledges open groups of a monitor: they are neither notified again nor escalated.
   * @param isMeant which groups, by their state and key
   * @returns values of the acknowledged groups
   */
  async acknowledge(
    monitorId: string,
    isMeant: (state: GroupState, group: string) => boolean,
    author: Pick<StoredAcknowledgment, 'by' | 'through' | 'name'>,
  ): Promise<readonly (readonly Label[])[]> {
    const { metadata, clock } = this.#options;
    const { open, acknowledged } = await this.openGroups(monitorId);
    const meant = Object.entries(open).filter(([group, state]) => isMeant(state, group));
    for (const [group, { since = 0 }] of meant)
      if (!acknowledged.has(group))
        await metadata.acknowledgments.create({ monitorId, group, since, at: timestamp(clock), ...author });
    return meant.map(([, { labels }]) => labels);
  }

  /** Open groups of a monitor by key, and the acknowledged ones. */
  async openGroups(monitorId: string): Promise<{
    readonly open: MonitorState['groups'];
    readonly acknowledged: ReadonlyMap<string, StoredAcknowledgment>;
  }> {
    const state = (await this.#options.stands()).get(monitorId)?.state ?? { groups: {} };
    const acknowledgments = await this.#options.metadata.acknowledgments.list();
    return {
      open: Object.fromEntries(Object.entries(state.groups).filter(([, { status }]) => status !== 'ok')),
      acknowledged: acknowledgedGroups(monitorId, state, acknowledgments),
    };
  }
}
