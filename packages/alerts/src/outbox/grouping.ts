import type { Notifier } from '@millrace/api/schemas/notifier';
import { isPerGroup } from '../channels/channels.js';
import { channelOf } from '../notifier.js';

/** When the changes of a monitor that wait for a notifier are sent in one message. */

interface PendingChanges {
  /** Time of the oldest change, milliseconds since the epoch. */
  readonly since: number;
  /** Time of the last message about the monitor; undefined if there is none. */
  readonly last: number | undefined;
}

type Grouping = Pick<Notifier, 'groupWaitSeconds' | 'groupIntervalMinutes' | 'properties'>;

/** Whether the channel of a notifier sends several changes in one message. */
const sharesMessages = ({ properties }: Grouping): boolean => !isPerGroup(channelOf(properties).name);

/**
 * Whether pending changes wait for others. A time in the future is of a clock that was set back.
 */
export function isGathering(notifier: Grouping, { since, last }: PendingChanges, now: number): boolean {
  const { groupWaitSeconds = 0, groupIntervalMinutes = 0 } = notifier;
  const isWithin = (start: number, milliseconds: number): boolean => start <= now && now - start < milliseconds;
  if (isWithin(since, groupWaitSeconds * 1000)) return true;
  return last !== undefined && sharesMessages(notifier) && isWithin(last, groupIntervalMinutes * 60_000);
}

/** Whether the time of the last message matters. */
export const hasInterval = ({ groupIntervalMinutes = 0 }: Grouping): boolean => groupIntervalMinutes > 0;
