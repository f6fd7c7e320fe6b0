import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Principal } from '../access/allowed.js';
import { runEvery } from '../async/run-every.js';
import { httpError, HttpError } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';
import type { Node } from '../nodes/node.js';
import { shownBackTest, shownRun, statusOf } from './state/status.js';
import type { MonitorPreview, MonitorStatus, Reads, ServerHealth, StoredMonitor } from '../schemas/monitor.js';
import type { Settings } from '../settings/settings.js';
import { readsOf } from './check-query.js';
import { healthMonitor, runHealth } from './health.js';
import { isOff, type MonitorDraft } from './monitor.js';
import { deliver } from './outbox/deliver.js';
import { testNotification, withoutKey } from './outbox/test-notification.js';
import { backTest } from './schedule/back-test.js';
import type { Notifier, NotifierPreview, NotifierTest, WriteNotifier } from '../schemas/notifier.js';
import { previewNotifier } from './outbox/preview-notifier.js';
import { Outbox } from './outbox/outbox.js';
import type { Sender } from './outbox/sender.js';
import { runMonitor, skipMatches } from './schedule/run.js';
import { Scheduler } from './schedule/scheduler.js';
import type { Source } from './source.js';
import { Commits } from './state/commits.js';
import { forgetOlder, healthMonitorId, runsOf, type Stand, standsIn, writeOutcomes } from './state/records.js';

/** Monitors and notifiers: what is checked before they are kept, and what runs by itself. */

export interface AlertsOptions {
  readonly metadata: Metadata;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly source: Source;
  readonly sender: Sender;
  /** Checks the query of a monitor. @throws HttpError */
  readonly checkQuery: (draft: MonitorDraft, principal: Principal) => Promise<void>;
  /** What a client is told of an error that is not its own. */
  readonly translate: (error: unknown) => HttpError | undefined;
  /** What is wrong with the server itself; nothing by default. */
  readonly health?: () => readonly string[];
  /** Says whether this process runs them, where several share them. */
  readonly node?: Pick<Node, 'onDuty'>;
  /** How long what runs decide may wait to be written together, milliseconds. */
  readonly commitEvery?: number;
}

const tickMilliseconds = 1000;
const forgetMilliseconds = 10 * 60_000;
const commitMilliseconds = 100;
/** As many as a list shows of other monitors. */
const healthRuns = 30;
const dayMilliseconds = 86_400_000;

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #stands: Map<string, Stand>;
  readonly #scheduler: Scheduler;
  readonly #outbox: Outbox;
  /** When the runs of the server's own monitor began to be counted. */
  readonly #since: string;
  readonly #stopping = new AbortController();
  #timers: readonly (() => Promise<void>)[] = [];
  #onDuty: boolean;

  private constructor(options: AlertsOptions, stands: Map<string, Stand>) {
    this.#options = options;
    this.#stands = stands;
    this.#onDuty = this.#isOnDuty();
    this.#since = new Date(options.clock()).toISOString();
    const { metadata, settings, clock, metrics, logger, source, sender, commitEvery = commitMilliseconds } = options;
    const { signal } = this.#stopping;
    const kept = { runs: settings.monitorRuns, waiting: settings.notifyWaiting, shared: settings.nodes === 'shared' };
    const commits = new Commits((outcomes) => writeOutcomes(metadata, outcomes, kept), commitEvery);
    this.#outbox = new Outbox({
      metadata,
      clock,
      metrics,
      logger,
      sender,
      signal,
      consoleUrl: settings.consoleUrl,
      opsgenieUrl: settings.opsgenieUrl,
      templateSteps: settings.templateSteps,
      limits: { perMinute: settings.notifyPerMinute, retries: settings.notifyRetries, atOnce: notifiersAtOnce },
    });
    this.#scheduler = new Scheduler({
      monitors: () => this.#monitors(),
      stands,
      clock,
      atOnce: settings.monitorsAtOnce,
      run: async (monitor, stand, time) => {
        const deps = await this.#dependencies(monitor);
        if (monitor.id !== healthMonitorId) return runMonitor(monitor, stand, time, deps);
        return runHealth(monitor, stand, time, { reasons: options.health?.() ?? [], deps });
      },
      skip: (monitor, stand, time) => skipMatches(monitor, stand, time, source),
      commit: (outcome) => commits.add(outcome),
      metrics,
      logger,
    });
    metrics.gauge('monitor_lag_seconds', () => this.#scheduler.lag / 1000);
  }

  static async open(options: AlertsOptions): Promise<Alerts> {
    return new Alerts(options, await standsIn(options.metadata.database));
  }

  /** Begins to run monitors and to send by itself. */
  start(): void {
    const { logger, clock, metadata, settings } = this.#options;
    const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what);
    this.#timers = [
      runEvery(tickMilliseconds, () => this.tick(), failed('monitors could not be looked after')),
      runEvery(
        forgetMilliseconds,
        async () => {
          if (this.#isOnDuty()) await forgetOlder(clock() - settings.monitorHistory, metadata.database);
        },
        failed('the old history of monitors could not be removed'),
      ),
    ];
  }

  #isOnDuty(): boolean {
    return this.#options.node?.onDuty() ?? true;
  }

  /**
   * Whether this process runs them. If it did not before, another one has, and monitors stand where
   * that one left them.
   */
  async #takesTurn(): Promise<boolean> {
    const isOnDuty = this.#isOnDuty();
    if (isOnDuty && !this.#onDuty) {
      const stands = await standsIn(this.#options.metadata.database);
      this.#stands.clear();
      for (const [id, stand] of stands) this.#stands.set(id, stand);
    }
    this.#onDuty = isOnDuty;
    return isOnDuty;
  }

  /** Where monitors stand, whoever runs them. */
  async #standsNow(): Promise<ReadonlyMap<string, Stand>> {
    return this.#onDuty ? this.#stands : standsIn(this.#options.metadata.database);
  }

  /** Begins what is due. */
  async tick(): Promise<void> {
    if (!(await this.#takesTurn())) return;
    await this.#scheduler.tick();
    await this.#outbox.tick();
  }

  /** Resolved when nothing that was begun is under way any more. */
  async idle(): Promise<void> {
    await this.#scheduler.idle();
    await this.#outbox.idle();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#timers.map((stop) => stop()));
    await this.#scheduler.stop();
    await this.#outbox.idle();
  }

  /**
   * Checks a monitor that is about to be kept; returns what its runs may read, and where they
   * begin.
   * @throws HttpError `invalid-query`, `invalid-request`, `forbidden`
   */
  async check(draft: MonitorDraft, principal: Principal): Promise<{ readonly reads: Reads; readonly from: string }> {
    const { metadata, checkQuery, source } = this.#options;
    const known = new Set((await metadata.notifiers.list()).map(({ id }) => id));
    const unknown = draft.notifierIds.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw httpError('invalid-request', {
        problem: `body 'notifierIds' names '${unknown}', which is no notifier; GET /v2/notifiers lists those there are`,
      });
    await checkQuery(draft, principal);
    const reads = await readsOf(principal, metadata);
    await this.#requireFewMatches(draft, reads);
    return { reads, from: String(await source.position()) };
  }

  /**
   * A monitor that would tell of more than it may is refused; one that is off can be written, so
   * that it can be turned off.
   */
  async #requireFewMatches(draft: MonitorDraft, reads: Reads): Promise<void> {
    const { clock, settings, source } = this.#options;
    const end = clock();
    if (draft.type !== 'MatchEvent' || draft.language === 'mpl' || isOff(draft, end)) return;
    const counted = await source
      .table({
        apl: `${draft.aplQuery}\n| count`,
        reads,
        signal: this.#stopping.signal,
        timeout: settings.monitorTimeout,
        start: end - dayMilliseconds,
        end,
      })
      // Whether the query works is shown by its runs.
      .catch(() => undefined);
    const count = counted?.columns[0]?.values[0];
    if (typeof count === 'number' && count > settings.matchesPerDay)
      throw httpError('invalid-request', {
        problem: `body 'aplQuery' matched ${count} events in the last day, and a monitor tells of ${settings.matchesPerDay} at most; narrow it, or compare a count with a Threshold monitor`,
      });
  }

  /** @throws HttpError `quota-reached` when there are as many monitors as there may be */
  async requireRoom(): Promise<void> {
    const { metadata, settings } = this.#options;
    const { length } = await metadata.monitors.list();
    if (length >= settings.maxMonitors)
      throw httpError('quota-reached', {
        problem: `there are ${length} monitors already`,
        setting: 'MILLRACE_MAX_MONITORS',
      });
  }

  /**
   * What a monitor would have told.
   * @throws HttpError as `check` does, and `invalid-request` for a time that no run can be made for
   */
  async preview(
    draft: MonitorDraft,
    { from, to }: { readonly from: number; readonly to: number },
    principal: Principal,
    signal: AbortSignal,
  ): Promise<MonitorPreview> {
    if (draft.type === 'MatchEvent')
      throw httpError('invalid-request', {
        problem: "body 'monitor.type' MatchEvent has no preview: run its query to see which events match",
      });
    if (from > to) throw httpError('invalid-request', { problem: "body 'startTime' must not be after 'endTime'" });
    const checked = await this.check(draft, principal);
    const { settings, source } = this.#options;
    const at = new Date(from).toISOString();
    const monitor = { ...draft, ...checked, id: 'preview', createdAt: at, updatedAt: at, createdBy: '' };
    const past = await backTest(
      monitor,
      { from, to: Math.min(to, this.#options.clock()) },
      {
        source,
        signal: AbortSignal.any([signal, this.#stopping.signal]),
        timeout: settings.monitorTimeout,
        deadline: performance.now() + settings.queryTimeout,
        mostRuns: settings.previewRuns,
        mostGroups: settings.monitorGroups,
        explain: (error) => this.#explain(error),
      },
    );
    return shownBackTest(past);
  }

  /** Sends a notification to see whether it arrives. */
  async test(notifier: Notifier): Promise<NotifierTest> {
    const { clock, settings, sender } = this.#options;
    const now = new Date(clock()).toISOString();
    const began = performance.now();
    const { attempt, request, answer } = await deliver(`test-${randomUUID()}`, testNotification(now), notifier, {
      sender,
      signal: this.#stopping.signal,
      consoleUrl: settings.consoleUrl,
      opsgenieUrl: settings.opsgenieUrl,
      templateSteps: settings.templateSteps,
    });
    return {
      outcome: attempt.kind,
      ...(attempt.kind !== 'delivered' && { problem: attempt.problem }),
      milliseconds: Math.round(performance.now() - began),
      // Paths of webhooks are secrets, and so is what some bodies begin with.
      ...(request !== undefined && {
        request: { url: new URL(request.url).origin, body: withoutKey(request.body, notifier) },
      }),
      ...(answer !== undefined && { answer: { status: answer.status, body: answer.text.slice(0, 4096) } }),
    };
  }

  /** What would be sent of a notification, without sending it. */
  previewNotifier(notifier: WriteNotifier): readonly NotifierPreview[] {
    const { clock, settings } = this.#options;
    return previewNotifier(notifier, new Date(clock()).toISOString(), settings);
  }

  /** How all monitors stand. */
  async status(): Promise<readonly MonitorStatus[]> {
    const { metadata, clock } = this.#options;
    const now = clock();
    const stands = await this.#standsNow();
    return (await metadata.monitors.list()).map((monitor) => statusOf(monitor, stands.get(monitor.id), now));
  }

  /** How the server itself stands. */
  async ownHealth(): Promise<ServerHealth> {
    const { metadata, clock } = this.#options;
    const monitor = await this.#ownMonitor();
    const runs = await runsOf(monitor.id, metadata.database);
    return {
      ...statusOf(monitor, (await this.#standsNow()).get(monitor.id), clock()),
      notifierIds: [...monitor.notifierIds],
      runs: runs.slice(0, healthRuns).map(shownRun),
    };
  }

  async #ownMonitor(): Promise<StoredMonitor> {
    const { metadata, settings } = this.#options;
    const told = (await metadata.notifiers.list()).filter(({ id, name }) =>
      [id, name].some((each) => settings.healthNotifiers.includes(each)),
    );
    return healthMonitor(
      this.#since,
      told.map(({ id }) => id),
    );
  }

  /** Those that were made, and the server's own. */
  async #monitors(): Promise<readonly StoredMonitor[]> {
    const { metadata } = this.#options;
    await metadata.upToDate();
    return [...(await metadata.monitors.list()), await this.#ownMonitor()];
  }

  async #dependencies({ intervalMinutes }: StoredMonitor) {
    const { settings, metadata, source } = this.#options;
    return {
      source,
      signal: this.#stopping.signal,
      timeout: Math.min(settings.monitorTimeout, intervalMinutes * 60_000),
      mostGroups: settings.monitorGroups,
      matchLimits: { perMinute: settings.matchesPerMinute, perDay: settings.matchesPerDay },
      notifiers: await metadata.notifiers.list(),
      annotates: settings.monitorAnnotations,
      consoleUrl: settings.consoleUrl,
      explain: (error: unknown) => this.#explain(error),
      annotation: (id: string) => metadata.annotations.find('id', id),
    };
  }

  /** Never an error's own words, which may be the engine's. */
  #explain(error: unknown): string {
    const known = error instanceof HttpError ? error : this.#options.translate(error);
    if (known !== undefined) return known.message;
    this.#options.logger.error({ err: error }, 'a run of a monitor failed');
    return 'internal error; the server log has the details';
  }
}

/** More hosts than anybody notifies; each takes a connection for as long as it answers. */
const notifiersAtOnce = 16;
