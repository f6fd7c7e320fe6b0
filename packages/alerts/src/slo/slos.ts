import type { Principal } from '@millrace/http/access/authorize';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { BurnRateAlert, Slo, StoredSlo, WriteSlo } from '@millrace/api/schemas/slo';
import type { Settings } from '@millrace/http/settings/settings';
import { changeTogether } from '@millrace/metadata/change-together';
import { timestamp } from '@millrace/metadata/clock';
import type { Connection } from '@millrace/metadata/database';
import type { AlertsOptions } from '../alerts-options.js';
import type { MonitorDrafts } from '../monitor-drafts.js';
import { forgetInhibitions } from '../routing/inhibition.js';
import { defaultAlerts, sloMonitor, sloMonitorId } from './slo-monitors.js';

/** Objectives and their monitors. */

interface SlosOptions extends Pick<AlertsOptions, 'metadata' | 'clock'> {
  readonly settings: Pick<Settings, 'maxMonitors'>;
  readonly drafts: Pick<MonitorDrafts, 'check'>;
}

type CheckedMonitor = Awaited<ReturnType<MonitorDrafts['check']>>;

interface AlertsUpdate {
  /** For each alert. */
  readonly checked: readonly CheckedMonitor[];
  /** Alerts before the change. */
  readonly before: readonly BurnRateAlert[];
  /** ID of the user. */
  readonly author: string;
}

type SloDraft = Omit<StoredSlo, 'id' | 'createdAt' | 'createdBy' | 'updatedAt'>;

export class Slos {
  readonly #options: SlosOptions;

  constructor(options: SlosOptions) {
    this.#options = options;
  }

  /** @throws HttpError `invalid-query`, `invalid-request`, `forbidden`, `quota-reached` */
  async create(body: WriteSlo, principal: Principal): Promise<Slo> {
    const { metadata, clock } = this.#options;
    const draft = draftOf(body);
    const checked = await this.#check(draft, principal);
    await this.#requireRoom(draft);
    const now = timestamp(clock);
    const createdBy = userIdOf(principal);
    return this.#change(async (connection) => {
      const made = { ...draft, createdAt: now, createdBy, updatedAt: now };
      const slo = await metadata.slos.create(made, connection);
      await this.#writeMonitors(slo, { checked, before: [], author: createdBy }, connection);
      return shownSlo(slo);
    });
  }

  /** @throws HttpError `not-found`, and as `create` */
  async update(id: string, body: WriteSlo, principal: Principal): Promise<Slo> {
    const { metadata, clock } = this.#options;
    const draft = draftOf(body);
    const { alerts } = await metadata.slos.get(id);
    const checked = await this.#check(draft, principal);
    await this.#requireRoom(draft, alerts);
    const updatedAt = timestamp(clock);
    const wanted = draft.alerts.map((alert) => sloMonitorId(id, alert));
    await this.#forget(alerts.map((alert) => sloMonitorId(id, alert)).filter((each) => !wanted.includes(each)));
    return this.#change(async (connection) => {
      const { alerts: before } = await metadata.slos.get(id, connection);
      const slo = await metadata.slos.update(
        id,
        ({ createdAt, createdBy }) => ({ ...draft, id, createdAt, createdBy, updatedAt }),
        connection,
      );
      await this.#writeMonitors(slo, { checked, before, author: userIdOf(principal) }, connection);
      return shownSlo(slo);
    });
  }

  /**
   * Deletes it with its monitors; open incidents are resolved at receivers.
   * @throws HttpError `not-found`
   */
  async delete(id: string): Promise<void> {
    const { metadata } = this.#options;
    const { alerts: present } = await metadata.slos.get(id);
    await this.#forget(present.map((alert) => sloMonitorId(id, alert)));
    await this.#change(async (connection) => {
      const { alerts } = await metadata.slos.delete(id, connection);
      for (const alert of alerts) await metadata.monitors.delete(sloMonitorId(id, alert), connection);
    });
  }

  /** Monitors that notify only while a deleted one is open would be quiet for ever. */
  async #forget(monitorIds: readonly string[]): Promise<void> {
    for (const id of monitorIds) await forgetInhibitions(id, this.#options.metadata.monitors);
  }

  /** An objective and its monitors change in one transaction. */
  #change<R>(work: (connection: Connection) => Promise<R>): Promise<R> {
    const { database, slos, monitors } = this.#options.metadata;
    return changeTogether(database, [slos, monitors], work);
  }

  /** @returns what the check of each alert's monitor found */
  async #check(draft: SloDraft, principal: Principal): Promise<readonly CheckedMonitor[]> {
    const { drafts } = this.#options;
    const checked: CheckedMonitor[] = [];
    for (const alert of draft.alerts) checked.push(await drafts.check(sloMonitor(draft, alert), principal));
    // Without alerts the query still has to work.
    if (checked.length === 0) await drafts.check(sloMonitor(draft, defaultAlerts[0]!), principal);
    return checked;
  }

  /** @throws HttpError `quota-reached` */
  async #requireRoom({ alerts }: SloDraft, before: readonly BurnRateAlert[] = []): Promise<void> {
    const { metadata, settings } = this.#options;
    const more = alerts.length - before.length;
    const { length } = await metadata.monitors.list();
    if (more > 0 && length + more > settings.maxMonitors)
      throw httpError('quota-reached', {
        problem: `there are ${length} monitors already, and this SLO adds ${more}`,
        setting: 'MILLRACE_MAX_MONITORS',
      });
  }

  /** Makes its monitors the ones of its alerts. A mute of a monitor stays. */
  async #writeMonitors(
    slo: StoredSlo,
    { checked, before, author }: AlertsUpdate,
    connection: Connection,
  ): Promise<void> {
    const { monitors } = this.#options.metadata;
    const isThere = async (id: string): Promise<boolean> => (await monitors.find('id', id, connection)) !== undefined;
    const wanted = slo.alerts.map((alert) => sloMonitorId(slo.id, alert));
    for (const id of before.map((alert) => sloMonitorId(slo.id, alert)))
      if (!wanted.includes(id) && (await isThere(id))) await monitors.delete(id, connection);
    for (const [i, alert] of slo.alerts.entries()) {
      const id = wanted[i]!;
      const { updatedAt } = slo;
      const about = { ...sloMonitor(slo, alert), ...checked[i]!, sloId: slo.id, writtenBy: author, updatedAt };
      if (await isThere(id)) await monitors.update(id, (former) => ({ ...about, ...keptOf(former) }), connection);
      else await monitors.write(id, () => ({ ...about, createdAt: updatedAt, createdBy: author }), connection);
    }
  }
}

/** What a monitor keeps when its objective changes. */
const keptOf = ({ id, createdAt, createdBy, disabled, disabledUntil }: StoredMonitor) => ({
  id,
  createdAt,
  createdBy,
  disabled,
  ...(disabledUntil !== undefined && { disabledUntil }),
});

function draftOf({ description = '', alerts = defaultAlerts, notifierIds = [], labels, ...body }: WriteSlo): SloDraft {
  const { windowDays } = body;
  const longs = new Set(alerts.map(({ longMinutes }) => longMinutes));
  if (longs.size < alerts.length) throw mistake("body 'alerts' must have different 'longMinutes'");
  const wrong = alerts.find(({ longMinutes, shortMinutes }) => shortMinutes >= longMinutes);
  if (wrong !== undefined)
    throw mistake(
      `body 'alerts' must have 'shortMinutes' below 'longMinutes', not ${wrong.shortMinutes} and ${wrong.longMinutes}`,
    );
  const long = alerts.find(({ longMinutes }) => longMinutes > windowDays * 1440);
  if (long !== undefined)
    throw mistake(`body 'alerts' has a window of ${long.longMinutes} min, longer than 'windowDays'`);
  const { name, aplQuery, good, objective } = body;
  return {
    name,
    ...(description !== '' && { description }),
    aplQuery,
    good,
    objective,
    windowDays,
    alerts: [...alerts],
    notifierIds,
    ...(labels !== undefined && { labels }),
  };
}

/** An objective as shown to clients. */
export const shownSlo = (slo: StoredSlo): Slo => ({
  ...slo,
  monitorIds: slo.alerts.map((alert) => sloMonitorId(slo.id, alert)),
});

const mistake = (problem: string) => httpError('invalid-request', { problem });
