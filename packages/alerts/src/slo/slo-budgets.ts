import type { Principal } from '@millrace/http/access/authorize';
import type { Reads } from '@millrace/api/schemas/monitor';
import type { SloBudget, StoredSlo } from '@millrace/api/schemas/slo';
import type { Settings } from '@millrace/http/settings/settings';
import { Mutex } from '@millrace/runtime/async/mutex';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { AlertsOptions } from '../alerts-options.js';
import { readsOf } from '../check-query.js';
import { budgetOf, stepsIn } from './budget.js';
import { allowedPart, recentRatesQuery, stepsQuery } from './slo-queries.js';

/** Error budgets of objectives. */

interface BudgetsOptions extends Pick<AlertsOptions, 'metadata' | 'clock' | 'source'> {
  readonly settings: Pick<Settings, 'queryTimeout' | 'sloBudgetAge' | 'maxMonitors'>;
  /** Ends queries; a request that ends ends none, because others wait for the same one. */
  readonly signal: AbortSignal;
}

interface BudgetEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly budget: Promise<SloBudget>;
}

/** Windows of the reported burn rates. */
const rateMinutes = [5, 60, 360, 1440] as const;
/** Steps of a window; charts have room for as many. */
const steps = 60;

export class SloBudgets {
  readonly #options: BudgetsOptions;
  /** By objective, its version, and the rights to which the events were counted. */
  readonly #budgets: LruCache<string, BudgetEntry>;
  /** One at a time: budgets count days of events, and monitors wait in the same queue. */
  readonly #turn = new Mutex();

  constructor(options: BudgetsOptions) {
    this.#options = options;
    this.#budgets = new LruCache(Math.max(1, options.settings.maxMonitors));
  }

  /**
   * The budget of the window that ends now, or ended at most `sloBudgetAge` ago, over what the
   * caller may query.
   * @throws HttpError `not-found`, `forbidden`, and errors of queries
   */
  async get(id: string, principal: Principal): Promise<SloBudget> {
    const { metadata, settings, clock } = this.#options;
    const slo = await metadata.slos.get(id);
    const reads = await readsOf(principal, metadata);
    const key = JSON.stringify([slo, reads]);
    const known = this.#budgets.get(key);
    const age = known === undefined ? Infinity : clock() - known.at;
    if (known !== undefined && age >= 0 && age < settings.sloBudgetAge) return known.budget;
    const made = { at: clock(), budget: this.#turn.run(() => this.#count(slo, reads)) };
    this.#budgets.set(key, made);
    try {
      return await made.budget;
    } catch (error) {
      if (this.#budgets.get(key) === made) this.#budgets.delete(key);
      throw error;
    }
  }

  async #count(slo: StoredSlo, reads: Reads): Promise<SloBudget> {
    const { settings, clock, source, signal } = this.#options;
    const end = clock();
    const stepMilliseconds = (slo.windowDays * 86_400_000) / steps;
    // Whole steps, so that a step does not change its events from one request to the next.
    const start = Math.ceil((end - slo.windowDays * 86_400_000) / stepMilliseconds) * stepMilliseconds;
    const query = { reads, signal, timeout: settings.queryTimeout, end };
    const counted = await source.table({ ...query, apl: stepsQuery(slo, stepMilliseconds / 60_000), start });
    const longest: number = Math.max(...rateMinutes);
    const recent = await source.table({
      ...query,
      apl: recentRatesQuery(slo, rateMinutes),
      start: end - longest * 60_000,
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
}
