import type { Notifier } from '@millrace/api/schemas/notifier';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { RunNews } from '../outbox/receiver-store.js';
import { notifiersFor } from '../routing/matching-routes.js';
import { inhibitionOf } from '../routing/inhibition.js';
import type { ActiveSilences } from '../silences/active-silences.js';
import type { RunDependencies } from './run-dependencies.js';

/** Which notifiers a run tells, and why it tells none. */

/** Notifiers of a monitor; none while it is quiet. */
export function receiversOf(
  monitor: StoredMonitor,
  { notifiers, routes }: Pick<RunDependencies, 'notifiers' | 'routes'>,
  quiet: string | undefined,
): readonly Notifier[] {
  if (quiet !== undefined) return [];
  const ids = notifiersFor(monitor, routes);
  return notifiers.filter(({ id }) => ids.includes(id));
}

/** Why a monitor notifies no notifier, if all of it is silenced or inhibited. */
export const quietnessOf = (
  monitor: StoredMonitor,
  { whole }: ActiveSilences,
  { isOpen }: Pick<RunDependencies, 'isOpen'>,
): string | undefined =>
  whole === undefined ? inhibitionOf(monitor, isOpen) : `The monitor is silenced: ${whole.reason}`;

/** Adds notifiers of escalated groups only. */
export function withEscalations(
  news: RunNews,
  byNotifier: ReadonlyMap<string, readonly string[]>,
  notifiers: readonly Notifier[],
): RunNews {
  const some = [...byNotifier].filter(
    ([id]) => !news.notifierIds.includes(id) && notifiers.some((notifier) => notifier.id === id),
  );
  if (some.length === 0) return news;
  return { ...news, notifierIds: [...news.notifierIds, ...some.map(([id]) => id)], onlyGroups: new Map(some) };
}

export const isSilent = ({ disabledUntil }: Notifier, time: number): boolean =>
  disabledUntil !== undefined && Date.parse(disabledUntil) > time;
