import { randomBytes } from 'node:crypto';
import { Yielder } from '@millrace/runtime/async/yield';
import type { Database } from '@millrace/metadata/database';
import type { Notifier } from '@millrace/api/schemas/notifier';
import { isPerGroup } from '../channels/channels.js';
import { channelOf } from '../notifier.js';
import { nextMessage } from './next-message.js';
import { takenBack, dropGroups } from './receiver-state.js';
import { readReceiver, writeReceiver } from './receiver-store.js';
import { rankOf } from './severity.js';
import { yieldForGroups } from '../yield-for-groups.js';
import { type Candidate, messageAt, stateMessage, type WaitingMessage } from './waiting.js';

/** Makes the next message to a receiver from its state. */

interface MessageContext {
  readonly database: Database;
  readonly notifier: Notifier;
  readonly notifierId: string;
  readonly maxAlone: number;
  readonly isSilent: boolean;
  readonly now: number;
}

/**
 * Writes the message and its consequences in one transaction, before the first attempt: after a
 * crash, the same message is sent again. Replaces a message that has not been delivered by one with
 * the current state.
 */
export function makeMessage(
  { monitorId, position }: Candidate,
  { database, notifier, notifierId, maxAlone, isSilent, now }: MessageContext,
): Promise<WaitingMessage | undefined> {
  return database.transaction().execute(async (connection) => {
    const stored = await readReceiver(notifierId, monitorId, connection);
    if (stored === undefined) return undefined;
    let { state } = stored;
    const maybeYield = yieldForGroups(Object.keys(state.incidents).length, new Yielder());
    const earlier = position === undefined ? undefined : await messageAt(position, connection);
    // Created by a version without receiver states: later messages must not overtake it.
    if (earlier !== undefined && earlier.covered === undefined && earlier.notification.matchedEvent === null)
      return earlier;
    const replaced = earlier?.covered === undefined ? await stateMessage(notifierId, monitorId, connection) : earlier;
    if (replaced?.covered !== undefined) {
      await connection
        .updateTable('notifications')
        .set({ state: 'failed', problem: `${replaced.problem}; replaced by a newer message` })
        .where('id', '=', replaced.id)
        .execute();
      state = takenBack(state, replaced.covered);
    }
    if (stored.closing !== '') {
      const { severity } = state.about;
      state = dropGroups(state, { text: stored.closing, value: 0, severity, time: now, start: now, end: now });
      // No message is in flight any more: the next one covers its groups.
      state = takenBack(state, { action: 'Closed', groups: Object.keys(state.incidents), summary: false });
    }
    await maybeYield?.();
    const perGroup = isPerGroup(channelOf(notifier.properties).name);
    const next = nextMessage(state, { monitorId, perGroup, maxAlone, onlyClosings: isSilent });
    await maybeYield?.();
    await writeReceiver(stored, next.state, connection);
    if (next.message === undefined) return undefined;
    const { notification, covered, decided } = next.message;
    const id = `${monitorId}-${randomBytes(8).toString('hex')}-${notifierId}`;
    await connection
      .insertInto('notifications')
      .values({
        id,
        monitor_id: monitorId,
        notifier_id: notifierId,
        created: decided,
        next_try: now,
        tries: 0,
        state: 'waiting',
        problem: '',
        notification: JSON.stringify(notification),
        groups: JSON.stringify(covered),
        severity: rankOf(notification.severity),
      })
      .execute();
    return {
      id,
      monitorId,
      notifierId,
      created: decided,
      tries: 0,
      problem: '',
      notification,
      covered,
      recipients: {},
      attempts: [],
    };
  });
}
