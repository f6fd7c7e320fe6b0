import type { Logger } from 'pino';
import type { Clock } from '../../metadata/clock.js';
import type { Metadata } from '../../metadata/metadata.js';
import type { Metrics } from '../../metrics.js';
import type { Attempt } from '../channels/channel.js';
import { deliver, type DeliverContext } from './deliver.js';
import type { Notification } from './notification.js';

/**
 * Sends what was decided. Each notifier's notifications go out in the order of decision, so that
 * nothing closes before it has opened; notifiers do not wait for each other. A crash between
 * sending and noting it sends again, under the same id.
 */

interface OutboxLimits {
  /** Notifications a notifier sends in a minute. */
  readonly perMinute: number;
  /** How long a notification is tried, milliseconds. */
  readonly retries: number;
  /** Notifiers that send at once. */
  readonly atOnce: number;
}

interface OutboxOptions extends DeliverContext {
  readonly metadata: Pick<Metadata, 'database' | 'notifiers'>;
  readonly clock: Clock;
  readonly limits: OutboxLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

interface Waiting {
  readonly id: string;
  readonly notifierId: string;
  readonly created: number;
  readonly tries: number;
  readonly notification: Notification;
}

export class Outbox {
  readonly #options: OutboxOptions;
  /** Notifiers that send at the moment. */
  readonly #sending = new Map<string, Promise<void>>();
  /** When each notifier sent in the last minute, milliseconds since the epoch. */
  readonly #sent = new Map<string, readonly number[]>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Begins to send what is due. */
  async tick(): Promise<void> {
    const { limits, logger } = this.#options;
    for (const waiting of await this.#heads()) {
      if (this.#sending.size >= limits.atOnce) break;
      if (this.#sending.has(waiting.notifierId)) continue;
      const sending = this.#sendAll(waiting)
        .catch((error: unknown) => logger.error({ err: error }, 'notifications could not be taken from the outbox'))
        .finally(() => this.#sending.delete(waiting.notifierId));
      this.#sending.set(waiting.notifierId, sending);
    }
  }

  /** Resolved when nothing that was begun is under way any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending.values());
  }

  /** The oldest of each notifier, where it is due: what comes behind it waits for it. */
  async #heads(): Promise<readonly Waiting[]> {
    const { metadata, clock } = this.#options;
    const rows = await metadata.database
      .selectFrom('notifications')
      .select(({ fn }) => ['notifier_id', fn.min('position').as('first')])
      .where('state', '=', 'waiting')
      .groupBy('notifier_id')
      .execute();
    const heads = await Promise.all(rows.map(({ first }) => this.#at(Number(first))));
    return heads.flatMap((head) => (head !== undefined && head.nextTry <= clock() ? [head] : []));
  }

  async #at(position: number): Promise<(Waiting & { readonly nextTry: number }) | undefined> {
    const row = await this.#options.metadata.database
      .selectFrom('notifications')
      .selectAll()
      .where('position', '=', position)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      id: row.id,
      notifierId: row.notifier_id,
      created: row.created,
      tries: row.tries,
      nextTry: row.next_try,
      notification: JSON.parse(row.notification) as Notification,
    };
  }

  /** Sends one after another, until one has to wait. */
  async #sendAll(first: Waiting): Promise<void> {
    let next: Waiting | undefined = first;
    while (next !== undefined && !this.#options.signal.aborted) {
      if (!(await this.#sendOne(next))) return;
      const { notifierId }: Waiting = next;
      next = (await this.#heads()).find((head) => head.notifierId === notifierId);
    }
  }

  /** @returns whether it is dealt with, and the next may follow */
  async #sendOne(waiting: Waiting): Promise<boolean> {
    const { metadata, clock, limits, logger, metrics, signal } = this.#options;
    const { id, notifierId } = waiting;
    const notifier = await metadata.notifiers.find('id', notifierId);
    if (notifier === undefined) return this.#note(waiting, { kind: 'failed', problem: 'the notifier was deleted' });
    const now = clock();
    if (notifier.disabledUntil !== undefined && Date.parse(notifier.disabledUntil) > now)
      return this.#note(waiting, { kind: 'failed', problem: 'the notifier was silent' });
    const room = this.#roomAt(notifierId, now);
    if (room > now) return this.#postpone(waiting, room);
    this.#sent.set(notifierId, [...(this.#sent.get(notifierId) ?? []), now]);
    const { attempt } = await deliver(id, waiting.notification, notifier, this.#options).catch((error: unknown) => {
      logger.error({ err: error, notification: id }, 'a notification could not be made');
      return { attempt: { kind: 'failed', problem: 'an internal error' } satisfies Attempt };
    });
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
    const isOver = attempt.kind === 'later' && clock() - waiting.created >= limits.retries;
    if (isOver) {
      const problem = `${attempt.problem}; given up after ${waiting.tries + 1} attempts`;
      return this.#note(waiting, { kind: 'failed', problem });
    }
    return this.#note(waiting, attempt);
  }

  /** When the notifier may send again. */
  #roomAt(notifierId: string, now: number): number {
    const { perMinute } = this.#options.limits;
    const lately = (this.#sent.get(notifierId) ?? []).filter((sent) => sent > now - 60_000 && sent <= now);
    this.#sent.set(notifierId, lately);
    return lately.length < perMinute ? now : lately[lately.length - perMinute]! + 60_000;
  }

  async #postpone({ id }: Waiting, until: number): Promise<false> {
    await this.#options.metadata.database
      .updateTable('notifications')
      .set({ next_try: until })
      .where('id', '=', id)
      .execute();
    return false;
  }

  async #note({ id, tries }: Waiting, attempt: Attempt): Promise<boolean> {
    const { metadata, clock } = this.#options;
    const isLater = attempt.kind === 'later';
    await metadata.database
      .updateTable('notifications')
      .set({
        tries: tries + 1,
        state: isLater ? 'waiting' : attempt.kind,
        problem: attempt.kind === 'delivered' ? '' : attempt.problem,
        ...(isLater && { next_try: clock() + backOff(tries, attempt.after) }),
      })
      .where('id', '=', id)
      .execute();
    return !isLater;
  }
}

const firstPause = 5_000;
const longestPause = 10 * 60_000;

/** Twice as long each time, or as long as the receiver asks for, if that is not for ever. */
const backOff = (tries: number, asked = 0): number =>
  Math.min(longestPause, Math.max(firstPause * 2 ** Math.min(tries, 20), asked));
