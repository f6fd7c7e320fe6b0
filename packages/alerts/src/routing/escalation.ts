import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { NotificationRoute } from '@millrace/api/schemas/notification-route';
import { hasPassed } from '../state/has-passed.js';
import type { MonitorState } from '../state/state.js';
import { matchingRoutes } from './matching-routes.js';

/** Notifiers of groups without acknowledgment for a time. */

interface EscalationResult {
  readonly groups: MonitorState['groups'];
  /** Notifier ID → keys of its groups; empty for notifiers that have none yet. */
  readonly byNotifier: ReadonlyMap<string, readonly string[]>;
}

/**
 * A group that was escalated stays so until it closes, also if it is acknowledged: its receiver
 * gets the closing.
 * @param now milliseconds since the epoch
 */
export function escalate(
  monitor: StoredMonitor,
  groups: MonitorState['groups'],
  routes: readonly NotificationRoute[],
  { now, acknowledged }: { readonly now: number; readonly acknowledged: (group: string) => boolean },
): EscalationResult {
  const steps = matchingRoutes(monitor, routes).flatMap(({ route: { escalation } }) => escalation ?? []);
  if (steps.length === 0) return { groups, byNotifier: new Map() };
  const byNotifier = new Map<string, string[]>(steps.flatMap(({ notifierIds }) => notifierIds.map((id) => [id, []])));
  const next = Object.entries(groups).map(([group, state]) => {
    const { since, status, escalated = [] } = state;
    if (status === 'ok' || since === undefined) return [group, state] as const;
    const due = steps.filter(
      ({ afterMinutes }) => hasPassed(since, afterMinutes * 60_000, now) && !acknowledged(group),
    );
    const ids = [...new Set([...escalated, ...due.flatMap(({ notifierIds }) => notifierIds)])];
    for (const id of ids) byNotifier.get(id)?.push(group);
    return [group, ids.length === 0 ? state : { ...state, escalated: ids }] as const;
  });
  return { groups: Object.fromEntries(next), byNotifier };
}
