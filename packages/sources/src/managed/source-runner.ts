import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SourceStatus, StoredSource } from '@millrace/api/schemas/source';
import type { Metrics } from '@millrace/http/metrics';
import type { Settings } from '@millrace/http/settings/settings';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import { runEvery } from '@millrace/runtime/async/run-every';
import { boundKind, kindOf } from '../kinds.js';
import type { Batch, Sink } from '../run/batch.js';
import { Progress } from '../run/progress.js';
import type { SourceContext } from '../run/source-context.js';
import { sourceAddresses } from '../run/source-kind.js';
import { storeUntilStored } from '../run/store-until-stored.js';
import { ledgerOf } from './metadata-ledger.js';
import { emptyStatus } from '../run/empty-status.js';

/**
 * How often the stored sources are compared with the running ones, milliseconds. Requests that
 * change sources do so at once; this is for other nodes, removed users and a new leader.
 */
const reconcileMilliseconds = 10_000;
/** How often the status of a running source is recorded. */
const recordMilliseconds = 3000;
/** Pauses after a failed run. */
const firstPause = 2000;
const longestPause = 60_000;

interface RunnerOptions {
  readonly metadata: Metadata;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly node: { isLeader(): boolean };
  /** Stores batches of a source, with the rights of the user who wrote it. */
  readonly sinkOf: (source: StoredSource) => Sink;
}

interface RunningSource {
  /** The version that is running. */
  readonly updatedAt: string;
  readonly stop: AbortController;
  readonly progress: Progress;
  readonly ended: Promise<void>;
}

/**
 * Runs the stored sources on the node that is the leader. The records are the truth: whatever
 * changes them, sources are started and stopped to match.
 */
export class SourceRunner {
  readonly #options: RunnerOptions;
  readonly #runningSources = new Map<string, RunningSource>();
  #stop: (() => Promise<void>) | undefined;
  #reconcilePromise: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { metrics } = options;
    const all = () => [...this.#runningSources.values()].map(({ progress }) => progress.counts);
    metrics.gauge('sources_running', () => this.#runningSources.size);
    metrics.gauge('sources_failing', () => all().filter(({ state }) => state === 'failing').length);
    metrics.gauge('source_lag', () => all().reduce((sum, { lag = 0 }) => sum + lag, 0));
  }

  start(): void {
    const { logger } = this.#options;
    this.#stop = runEvery(
      reconcileMilliseconds,
      () => this.reconcile(),
      (error) => logger.error({ err: error }, 'sources could not be started or stopped'),
    );
  }

  /** Starts and stops sources to match the records. */
  reconcile(): Promise<void> {
    this.#reconcilePromise = this.#reconcilePromise.catch(() => undefined).then(() => this.#reconcile());
    return this.#reconcilePromise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop?.();
    await this.#reconcilePromise.catch(() => undefined);
    const ending = [...this.#runningSources.keys()].map((id) => this.#end(id));
    await Promise.all(ending);
  }

  /** The status of a source, wherever it runs. */
  async status(source: StoredSource): Promise<SourceStatus> {
    const { metadata } = this.#options;
    const recorded = await metadata.sourceStatuses.find('id', source.id);
    const running = this.#runningSources.get(source.id);
    const { id: _, ...counts } = recorded ?? { id: '', ...emptyStatus };
    const known = running === undefined ? counts : running.progress.counts;
    if (source.paused) return { ...withoutProblem(known), state: 'paused' };
    if (!(await this.#hasOwner(source)))
      return {
        ...known,
        state: 'stopped',
        problem: 'the user who wrote this source was removed; save it again to run it',
      };
    return running === undefined && recorded === undefined ? { ...known, state: 'waiting' } : known;
  }

  async #reconcile(): Promise<void> {
    const { metadata, node } = this.#options;
    const wanted = new Map<string, StoredSource>();
    if (!this.#isClosed && node.isLeader()) {
      await metadata.upToDate();
      for (const source of await metadata.sources.list())
        if (!source.paused && (await this.#hasOwner(source))) wanted.set(source.id, source);
    }
    for (const [id, { updatedAt }] of this.#runningSources)
      if (wanted.get(id)?.updatedAt !== updatedAt) await this.#end(id);
    for (const [id, source] of wanted) if (!this.#runningSources.has(id)) await this.#begin(source);
  }

  async #hasOwner({ writtenBy }: StoredSource): Promise<boolean> {
    return (await this.#options.metadata.users.find(writtenBy)) !== undefined;
  }

  async #begin(source: StoredSource): Promise<void> {
    const { metadata, clock } = this.#options;
    const recorded = await metadata.sourceStatuses.find('id', source.id);
    const { id: _, ...before } = recorded ?? { id: '', ...emptyStatus };
    const progress = new Progress(clock, withoutProblem({ ...before, state: 'running' as const }));
    const stop = new AbortController();
    const ended = this.#run(source, progress, stop.signal);
    this.#runningSources.set(source.id, { updatedAt: source.updatedAt, stop, progress, ended });
  }

  async #end(id: string): Promise<void> {
    const running = this.#runningSources.get(id);
    if (running === undefined) return;
    running.stop.abort(new Error('the source was stopped'));
    await running.ended;
    this.#runningSources.delete(id);
  }

  /** Runs a source until it is stopped, again after each failure. */
  async #run(source: StoredSource, progress: Progress, signal: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    const what = { source: source.id, name: source.name };
    let recorded = -1;
    const record = async (): Promise<void> => {
      if (recorded === progress.version) return;
      const { version } = progress;
      await this.#record(source, progress);
      recorded = version;
    };
    const stopRecording = runEvery(recordMilliseconds, record, (error) =>
      logger.warn({ ...what, err: error }, 'the status of a source could not be recorded'),
    );
    for (let wait = firstPause; !signal.aborted; wait = Math.min(2 * wait, longestPause)) {
      const before = progress.counts.batches;
      try {
        await this.#runOnce(source, progress, signal);
      } catch (error) {
        if (signal.aborted) break;
        progress.markFailing(problemOf(error));
        logger.warn({ ...what, err: error }, 'a source failed and is started again');
      }
      if (progress.counts.batches > before) wait = firstPause;
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
    await stopRecording();
    await record().catch((error: unknown) => logger.warn({ ...what, err: error }, 'the status of a source is lost'));
  }

  #runOnce(source: StoredSource, progress: Progress, signal: AbortSignal): Promise<void> {
    const { settings, logger, metadata, metrics, clock } = this.#options;
    const name = kindOf(source.properties);
    if (name === undefined) throw new Error('the source has no kind');
    const sink = this.#options.sinkOf(source);
    const context: SourceContext = {
      id: source.id,
      signal,
      batchBytes: settings.sourceBatchBytes,
      batchAge: settings.sourceBatchAge,
      progress,
      objects: ledgerOf(source.id, { objects: metadata.sourceObjects, clock, settings }),
      addresses: sourceAddresses(settings.sourcePrivateAddresses),
      logger,
      store: async (batch) => {
        const recordFailure = (error: unknown, { position }: Batch): void =>
          logger.warn({ source: source.id, position, err: error }, 'events of a source cannot be stored yet');
        const stored = await storeUntilStored(batch, { sink, signal, progress, failed: recordFailure });
        metrics.count('source_events_total', stored.ingested, { kind: name, outcome: 'stored' });
        metrics.count('source_events_total', stored.failed, { kind: name, outcome: 'failed' });
        return stored;
      },
    };
    const properties = source.properties[name]!;
    return boundKind(name, properties).run(context);
  }

  async #record(source: StoredSource, progress: Progress): Promise<void> {
    const { metadata, clock } = this.#options;
    // A deleted source leaves nothing behind.
    if ((await metadata.sources.find('id', source.id)) === undefined) return;
    const updatedAt = new Date(clock()).toISOString();
    await metadata.sourceStatuses.write(source.id, () => ({ ...progress.counts, updatedAt }));
  }
}

function withoutProblem<T extends { readonly problem?: string }>(status: T): Omit<T, 'problem'> {
  const { problem: _, ...rest } = status;
  return rest;
}

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
