import type { Principal } from '@millrace/http/access/authorize';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import type { Slo, SloBudget, StoredSlo, WriteSlo } from '@millrace/api/schemas/slo';
import { timestamp } from '@millrace/metadata/clock';
import type { AlertsOptions } from '../alerts-options.js';
import { readsOf } from '../check-query.js';
import type { MonitorDrafts } from '../monitor-drafts.js';
import { budgetOf, stepsIn } from './budget.js';
import { defaultAlerts, sloMonitor, sloMonitorId } from './slo-monitors.js';
import { allowedPart, recentRatesQuery, stepsQuery } from './slo-queries.js';

/** Objectives, their monitors and their budgets. */

interface SlosOptions extends Pick<AlertsOptions, 'metadata' | 'settings' | 'clock' | 'source'> {
  readonly drafts: MonitorDrafts;
}

type SloDraft = Omit<StoredSlo, 'id' | 'createdAt' | 'createdBy' | 'updatedAt'>;

/** Windows of the reported burn rates. */
const rateMinutes = [5, 60, 360, 1440] as const;
/** Steps of a window; charts have room for as many. */
const steps = 60;

export class Slos {
  readonly #options: SlosOptions;

  constructor(options: SlosOptions) {
    this.#options = options;
  }

  /** @throws HttpError `invalid-query`, `invalid-request`, `forbidden`, `quota-reached` */
  async create(body: WriteSlo, principal: Principal): Promise<Slo> {
    const { metadata, clock, drafts, settings } = this.#options;
    const draft = draftOf(body);
    await this.#check(draft, principal);
    const { length } = await metadata.monitors.list();
    if (length + draft.alerts.length > settings.maxMonitors)
      throw httpError('quota-reached', {
        problem: `there are ${length} monitors already, and this objective has ${draft.alerts.length}`,
        setting: 'MILLRACE_MAX_MONITORS',
      });
    if (draft.alerts.length > 0) await drafts.requireRoom();
    const now = timestamp(clock);
    const slo = await metadata.slos.create({
      ...draft,
      createdAt: now,
      createdBy: userIdOf(principal),
      updatedAt: now,
    });
    await this.#writeMonitors(slo, principal);
    return shownSlo(slo);
  }

  /** @throws HttpError `not-found`, and as `create` */
  async update(id: string, body: WriteSlo, principal: Principal): Promise<Slo> {
    const { metadata, clock } = this.#options;
    const draft = draftOf(body);
    await metadata.slos.get(id);
    await this.#check(draft, principal);
    const slo = await metadata.slos.update(id, ({ createdAt, createdBy }) => ({
      ...draft,
      id,
      createdAt,
      createdBy,
      updatedAt: timestamp(clock),
    }));
    await this.#writeMonitors(slo, principal);
    return shownSlo(slo);
  }

  /**
   * Deletes it with its monitors; open incidents are resolved at receivers.
   * @throws HttpError `not-found`
   */
  async delete(id: string): Promise<void> {
    const { metadata } = this.#options;
    await metadata.slos.get(id);
    for (const monitor of await metadata.monitors.list())
      if (monitor.sloId === id) await metadata.monitors.delete(monitor.id);
    await metadata.slos.delete(id);
  }

  /**
   * The budget of the window that ends now, over what the caller may query.
   * @throws HttpError `not-found`, `forbidden`, and errors of queries
   */
  async budget(id: string, principal: Principal, signal: AbortSignal): Promise<SloBudget> {
    const { metadata, settings, clock, source } = this.#options;
    const slo = await metadata.slos.get(id);
    const now = clock();
    const stepMinutes = (slo.windowDays * 1440) / steps;
    // Whole steps, so that a step does not change its events from one request to the next.
    const end = now;
    const start = Math.ceil((now - slo.windowDays * 86_400_000) / (stepMinutes * 60_000)) * stepMinutes * 60_000;
    const query = { reads: await readsOf(principal, metadata), signal, timeout: settings.queryTimeout, end };
    const counted = await source.table({ ...query, apl: stepsQuery(slo, stepMinutes), start });
    const longest: number = Math.max(...rateMinutes);
    const recent = await source.table({
      ...query,
      apl: recentRatesQuery(slo, rateMinutes),
      start: now - longest * 60_000,
    });
    const rateOf = (minutes: number): number => {
      const value = recent.columns.find(({ name }) => name === `m${minutes}`)?.values[0];
      return typeof value === 'number' ? Number(value.toPrecision(6)) : 0;
    };
    return {
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      objective: slo.objective,
      ...budgetOf(stepsIn(counted), allowedPart(slo)),
      burnRates: rateMinutes.map((minutes) => ({ minutes, rate: rateOf(minutes) })),
    };
  }

  async #check(draft: SloDraft, principal: Principal): Promise<void> {
    // Without alerts the query still has to work.
    for (const alert of draft.alerts.length === 0 ? defaultAlerts.slice(0, 1) : draft.alerts)
      await this.#options.drafts.check(sloMonitor(draft, alert), principal);
  }

  /**
   * Makes its monitors the ones of its alerts. After a crash on the way the next write of the
   * objective does the rest. A mute of a monitor stays.
   */
  async #writeMonitors(slo: StoredSlo, principal: Principal): Promise<void> {
    const { metadata, drafts, clock } = this.#options;
    const { monitors } = metadata;
    const wanted = new Map(slo.alerts.map((alert) => [sloMonitorId(slo.id, alert), alert]));
    for (const monitor of await monitors.list())
      if (monitor.sloId === slo.id && !wanted.has(monitor.id)) await monitors.delete(monitor.id);
    const now = timestamp(clock);
    const author = userIdOf(principal);
    for (const [id, alert] of wanted) {
      const draft = sloMonitor(slo, alert);
      const checked = await drafts.check(draft, principal, id);
      const about = { ...draft, ...checked, sloId: slo.id, writtenBy: author, updatedAt: now };
      if ((await monitors.find('id', id)) === undefined)
        await monitors.write(id, () => ({ ...about, createdAt: now, createdBy: author }));
      else
        await monitors.update(id, ({ createdAt, createdBy, disabled, disabledUntil }) => ({
          ...about,
          id,
          createdAt,
          createdBy,
          disabled,
          ...(disabledUntil !== undefined && { disabledUntil }),
        }));
    }
  }
}

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
