import type { Logger } from 'pino';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { Metrics } from '@millrace/http/metrics';
import type { MonitorAttempt } from '@millrace/api/schemas/incident';
import type { Notifier } from '@millrace/api/schemas/notifier';
import type { Attempt } from '../channels/channel.js';
import { isPerGroup } from '../channels/channels.js';
import { channelOf } from '../notifier.js';
import { attemptRecord, withAttempt } from './attempts.js';
import { deliver, type DeliverContext, type Recipients, type DeliveryResult } from './deliver.js';
import { hasInterval, isGathering } from './grouping.js';
import { makeMessage } from './make-message.js';
import { Pace } from './pace.js';
import { afterDelivery } from './receiver-state.js';
import { OutdatedWrite, readReceiver, writeReceiver } from './receiver-store.js';
import {
  type Candidate,
  candidatesFor,
  formerNotifier,
  isWaiting,
  lastMessageAt,
  messageAt,
  notifiersWaitedFor,
  type WaitingMessage,
} from './waiting.js';

/**
 * Sends pending notifications. Notifiers do not wait for each other, nor do the monitors of one
 * notifier: the most urgent goes first, then the one that has sent least recently. Notifications of
 * one monitor go out in order. A crash between sending a notification and recording it sends it
 * again with the same ID.
 */

interface OutboxLimits {
  /** Notifications a notifier sends in a minute. */
  readonly perMinute: number;
  /** How long a notification is retried, milliseconds. */
  readonly retries: number;
  /** How long a notification that closes an incident is retried, milliseconds. */
  readonly closingRetries: number;
  /** Maximum groups of a monitor with separate incidents. */
  readonly maxAlone: number;
  /** Notifiers that send at once. */
  readonly atOnce: number;
}

interface OutboxOptions extends DeliverContext {
  readonly metadata: Pick<Metadata, 'database' | 'notifiers' | 'writeCount'>;
  readonly clock: Clock;
  readonly limits: OutboxLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Notifiers, or pairs of a notifier and a monitor; those not used for longest are forgotten. */
const maxRemembered = 10_000;

export class Outbox {
  readonly #options: OutboxOptions;
  /** Notifiers that send at the moment. */
  readonly #activeSends = new Map<string, Promise<void>>();
  readonly #paces = new LruCache<string, Pace>(maxRemembered);
  /** Receivers that asked to pause, and until when, milliseconds since the epoch. */
  readonly #pauses = new LruCache<string, number>(maxRemembered);
  /** Time of the last notification, by notifier and monitor. */
  readonly #lastSent = new LruCache<string, number>(maxRemembered);
  #sentCount = 0;
  /** Writes of the metadata when nothing was waiting. */
  #emptyAt: number | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Starts sending due notifications. */
  async tick(): Promise<void> {
    const { limits, logger, metadata } = this.#options;
    // Taken before the read: a concurrent write makes another number.
    const writes = metadata.writeCount();
    if (writes !== undefined && writes === this.#emptyAt) return;
    const notifierIds = await notifiersWaitedFor(metadata.database);
    this.#emptyAt = notifierIds.length === 0 ? writes : undefined;
    for (const notifierId of notifierIds) {
      if (this.#activeSends.size >= limits.atOnce) break;
      if (this.#activeSends.has(notifierId)) continue;
      const sending = this.#sendAll(notifierId)
        .catch((error: unknown) => {
          if (!(error instanceof OutdatedWrite))
            logger.error({ err: error }, 'notifications could not be taken from the outbox');
        })
        .finally(() => this.#activeSends.delete(notifierId));
      this.#activeSends.set(notifierId, sending);
    }
  }

  /** Resolves when no delivery is in flight. */
  async idle(): Promise<void> {
    await Promise.all(this.#activeSends.values());
  }

  /** Sends one notification after another, until none can be sent now. */
  async #sendAll(notifierId: string): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const next = await this.#next(notifierId);
      if (next === undefined || !(await this.#send(next.message, next.notifier))) return;
    }
  }

  async #next(
    notifierId: string,
  ): Promise<{ readonly message: WaitingMessage; readonly notifier: Notifier | undefined } | undefined> {
    const { metadata, clock, limits } = this.#options;
    const { database } = metadata;
    const now = clock();
    if (!this.#paceOf(notifierId).hasRoom(now) || this.#isPaused(notifierId, now)) return undefined;
    const notifier = await this.#notifier(notifierId);
    const isSilent = notifier?.disabledUntil !== undefined && Date.parse(notifier.disabledUntil) > now;
    // While a notifier is silent, only closings of open incidents are sent.
    const mayClose = !isSilent || (notifier !== undefined && isPerGroup(channelOf(notifier.properties).name));
    for (const candidate of this.#orderCandidates(notifierId, await candidatesFor(notifierId, database), now)) {
      const { position, tries, due } = candidate;
      if (notifier !== undefined && due && (position === undefined || tries > 0)) {
        if (!mayClose || (await this.#isGathering(notifier, candidate, now))) continue;
        const making = { database, notifier, notifierId, maxAlone: limits.maxAlone, isSilent, now };
        const message = await makeMessage(candidate, making);
        if (message !== undefined) return { message, notifier };
      } else if (position !== undefined) {
        const message = await messageAt(position, database);
        if (message === undefined) continue;
        if (!isSilent || message.covered === undefined) return { message, notifier };
        if (mayClose && message.covered.action === 'Closed') return { message, notifier };
      }
    }
    return undefined;
  }

  /** Whether the changes of a monitor still wait for others, to be in the same message. */
  async #isGathering(notifier: Notifier, { monitorId, since, position }: Candidate, now: number): Promise<boolean> {
    // A message that was tried once is not held back.
    if (position !== undefined) return false;
    const { database } = this.#options.metadata;
    const last = hasInterval(notifier) ? await lastMessageAt(notifier.id, monitorId, database) : undefined;
    return isGathering(notifier, { since, last }, now);
  }

  /** Candidates that are due: the most urgent first, then the least recently sent. */
  #orderCandidates(notifierId: string, candidates: readonly Candidate[], now: number): readonly Candidate[] {
    const lastSent = ({ monitorId }: Candidate): number => this.#lastSent.get(`${notifierId} ${monitorId}`) ?? 0;
    return (
      candidates
        // The clock may have been set back: no notification waits longer than the longest pause.
        .filter(({ nextTry }) => nextTry <= now || nextTry > now + longestPause)
        .toSorted((a, b) => b.severity - a.severity || lastSent(a) - lastSent(b) || a.since - b.since)
    );
  }

  async #notifier(notifierId: string): Promise<Notifier | undefined> {
    const { notifiers, database } = this.#options.metadata;
    const present = await notifiers.find('id', notifierId);
    if (present !== undefined) return present;
    const former = await formerNotifier(notifierId, database);
    return former === undefined ? undefined : (JSON.parse(former) as Notifier);
  }

  /** @returns whether another may follow now */
  async #send(message: WaitingMessage, notifier: Notifier | undefined): Promise<boolean> {
    const { clock, limits, logger, metrics, signal } = this.#options;
    const { id, notifierId, covered } = message;
    if (notifier === undefined) return this.#note(message, { kind: 'failed', problem: 'the notifier was deleted' }, {});
    const now = clock();
    const isSilent = notifier.disabledUntil !== undefined && Date.parse(notifier.disabledUntil) > now;
    if (isSilent && covered === undefined)
      return this.#note(message, { kind: 'failed', problem: 'the notifier was silent' }, {});
    this.#paceOf(notifierId).take();
    this.#lastSent.set(`${notifierId} ${message.monitorId}`, ++this.#sentCount);
    const began = clock();
    const tried: DeliveryResult = await deliver(
      id,
      message.notification,
      notifier,
      this.#options,
      message.recipients,
    ).catch((error: unknown) => {
      logger.error({ err: error, notification: id }, 'a notification could not be made');
      return { attempt: { kind: 'failed', problem: 'an internal error' } satisfies Attempt, recipients: {} };
    });
    const { attempt, recipients = {} } = tried;
    const record = attemptRecord({ ...tried, began, ended: clock() });
    if (signal.aborted && attempt.kind !== 'delivered') return false;
    metrics.count('notifications_total', 1, {
      channel: Object.keys(notifier.properties)[0] ?? '',
      outcome: attempt.kind,
    });
    if (attempt.kind !== 'delivered')
      logger.warn(
        { notifier: notifierId, notification: id, problem: attempt.problem },
        'a notification was not delivered',
      );
    if (attempt.kind === 'later' && attempt.after !== undefined)
      this.#pauses.set(notifierId, clock() + Math.min(longestPause, attempt.after));
    const patience = covered?.action === 'Closed' ? limits.closingRetries : limits.retries;
    const isOver = attempt.kind === 'later' && clock() - message.created >= patience;
    if (!isOver) return this.#note(message, attempt, recipients, record);
    const problem = `${attempt.problem}; given up after ${message.tries + 1} attempts`;
    return this.#note(message, { kind: 'failed', problem }, recipients, record);
  }

  #paceOf(notifierId: string): Pace {
    const pace = this.#paces.get(notifierId) ?? new Pace(this.#options.limits.perMinute);
    this.#paces.set(notifierId, pace);
    return pace;
  }

  #isPaused(notifierId: string, now: number): boolean {
    const until = this.#pauses.get(notifierId) ?? 0;
    return until > now && until <= now + longestPause;
  }

  /** Records the outcome of an attempt, and the receiver's resulting state. */
  async #note(
    message: WaitingMessage,
    attempt: Attempt,
    recipients: Recipients,
    record?: MonitorAttempt,
  ): Promise<true> {
    const { metadata, clock } = this.#options;
    const { id, notifierId, monitorId, tries, covered } = message;
    const isLater = attempt.kind === 'later';
    await metadata.database.transaction().execute(async (connection) => {
      // Deleted if its notifier changed its destination during the attempt.
      if (!(await isWaiting(id, connection))) return;
      await connection
        .updateTable('notifications')
        .set({
          tries: tries + 1,
          state: isLater ? 'waiting' : attempt.kind,
          problem: attempt.kind === 'delivered' ? problemsOf(recipients) : attempt.problem,
          recipients: JSON.stringify(recipients),
          ...(record !== undefined && { attempts: JSON.stringify(withAttempt(message.attempts, record)) }),
          ...(isLater && { next_try: clock() + backOff(tries, attempt.after) }),
        })
        .where('id', '=', id)
        .execute();
      if (covered === undefined || isLater) return;
      const stored = await readReceiver(notifierId, monitorId, connection);
      if (stored !== undefined)
        await writeReceiver(stored, afterDelivery(stored.state, covered, attempt.kind), connection);
    });
    return true;
  }
}

/** Addresses that never got it, where others did. */
const problemsOf = (recipients: Recipients): string =>
  Object.entries(recipients)
    .filter(([, outcome]) => outcome !== 'delivered')
    .map(([address, problem]) => `${address}: ${problem}`)
    .join('; ');

const firstPause = 5_000;
const longestPause = 10 * 60_000;

/** Exponential backoff: at least the delay that the receiver requests, at most `longestPause`. */
const backOff = (tries: number, requested = 0): number =>
  Math.min(longestPause, Math.max(firstPause * 2 ** Math.min(tries, 20), requested));
