import { httpError } from '@millrace/api/errors';
import type { StoredAcknowledgment, StoredMonitor } from '@millrace/api/schemas/monitor';
import { timestamp } from '@millrace/metadata/clock';
import type { AlertsOptions } from '../alerts-options.js';
import type { MonitorStates } from '../monitor-states.js';
import { groupText } from '../outbox/message-text.js';
import type { Notification } from '../outbox/notification.js';
import type { MessageGroups } from '../outbox/receiver-state.js';
import type { GroupState } from '../state/state.js';
import { linkKeyName, readLinkToken } from './link-token.js';

/** What receivers of a message do about it through its signed link. */

interface ResponseOptions extends Pick<AlertsOptions, 'metadata' | 'clock'> {
  readonly states: MonitorStates;
}

/** What a message was about, and how that stands now. */
export interface RespondableMessage {
  readonly monitor: StoredMonitor;
  readonly notifierName: string;
  readonly notification: Notification;
  /** Groups of the message that are still open, as text; the whole monitor is an empty text. */
  readonly open: readonly string[];
  /** How many of them are acknowledged. */
  readonly acknowledged: readonly StoredAcknowledgment[];
}

interface StoredMessage extends RespondableMessage {
  readonly notifierId: string;
  readonly groups: ReadonlyMap<string, GroupState>;
}

/** More groups of one message are snoozed by one silence of the whole monitor. */
const maxSilences = 10;

export class MessageResponses {
  readonly #options: ResponseOptions;

  constructor(options: ResponseOptions) {
    this.#options = options;
  }

  /** @throws HttpError `not-found` for a link that is wrong, expired or about something deleted */
  async read(token: string): Promise<RespondableMessage> {
    return this.#find(token);
  }

  /**
   * Acknowledges the groups of the message that are still open.
   * @param name of the person, not verified; may be empty
   * @throws HttpError as `read`
   */
  async acknowledge(token: string, name: string): Promise<RespondableMessage> {
    const { monitor, groups, notifierId } = await this.#find(token);
    await this.#options.states.acknowledge(monitor.id, (_, group) => groups.has(group), {
      by: '',
      through: notifierId,
      ...(name !== '' && { name }),
    });
    return this.#find(token);
  }

  /**
   * Silences the open groups of the message.
   * @param name of the person, not verified; may be empty
   * @returns IDs of the silences
   * @throws HttpError as `read`
   */
  async snooze(token: string, minutes: number, name: string): Promise<readonly string[]> {
    const { monitor, groups, notifierName } = await this.#find(token);
    const { metadata, clock } = this.#options;
    const now = timestamp(clock);
    const by = name === '' ? '' : ` by ${name}`;
    const about = {
      reason: `Snoozed${by} through a message to ${notifierName}`,
      monitorIds: [monitor.id],
      startTime: now,
      endTime: timestamp(() => clock() + minutes * 60_000),
      createdAt: now,
      createdBy: '',
      updatedAt: now,
    };
    const all = [...groups.values()];
    const isWhole = all.length > maxSilences || all.some(({ labels }) => labels.length === 0);
    const selections = isWhole ? [{}] : all.map(({ keys, labels }) => ({ groups: valuesOf(keys, labels) }));
    const ids: string[] = [];
    for (const selection of all.length === 0 ? [] : selections)
      ids.push((await metadata.silences.create({ ...about, ...selection })).id);
    return ids;
  }

  async #find(token: string): Promise<StoredMessage> {
    const { metadata, clock, states } = this.#options;
    const read = readLinkToken(await metadata.serverKeys.get(linkKeyName), token, clock());
    if (read.kind !== 'valid') throw missingLinkError;
    const row = await metadata.database
      .selectFrom('notifications')
      .select(['monitor_id', 'notifier_id', 'notification', 'groups'])
      .where('id', '=', read.notification)
      .executeTakeFirst();
    if (row === undefined || row.groups === '') throw missingLinkError;
    const monitor = await metadata.monitors.find('id', row.monitor_id);
    const notifier = await metadata.notifiers.find('id', row.notifier_id);
    if (monitor === undefined || notifier === undefined) throw missingLinkError;
    const notification = JSON.parse(row.notification) as Notification;
    const covered = new Set((JSON.parse(row.groups) as MessageGroups).groups);
    const sent = Date.parse(notification.timestamp);
    const { open, acknowledged } = await states.openGroups(monitor.id);
    // A group that opened after the message is another incident.
    const groups = new Map(
      Object.entries(open).filter(([group, { since = 0 }]) => covered.has(group) && since <= sent),
    );
    return {
      monitor,
      notifierId: notifier.id,
      notifierName: notifier.name,
      notification,
      groups,
      open: [...groups.values()].map(groupText),
      acknowledged: [...groups.keys()].flatMap((group) => acknowledged.get(group) ?? []),
    };
  }
}

const missingLinkError = httpError('not-found', { kind: 'message', name: 'this link' });

const valuesOf = (keys: readonly string[], labels: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(keys.map((key, i) => [key, String(labels[i])]));
