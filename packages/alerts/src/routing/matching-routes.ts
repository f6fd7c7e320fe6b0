import type { Monitor } from '@millrace/api/schemas/monitor';
import type { NotificationRoute } from '@millrace/api/schemas/notification-route';
import { severityOf } from '../outbox/compose.js';

/** Which notifiers a monitor has: its own, and those of the table of routes. */

export type RoutedMonitor = Pick<Monitor, 'id' | 'labels' | 'severity' | 'notifierIds'>;

interface MatchingRoute {
  /** Position in the table. */
  readonly index: number;
  readonly route: NotificationRoute;
}

/** The first route that matches, and later ones while routes say that they continue. */
export function matchingRoutes(
  monitor: Pick<RoutedMonitor, 'id' | 'labels' | 'severity'>,
  routes: readonly NotificationRoute[],
): readonly MatchingRoute[] {
  const matching = routes.map((route, index) => ({ route, index })).filter(({ route }) => matches(monitor, route));
  const last = matching.findIndex(({ route }) => route.continue !== true);
  return last === -1 ? matching : matching.slice(0, last + 1);
}

function matches(
  monitor: Pick<RoutedMonitor, 'id' | 'labels' | 'severity'>,
  { labels = {}, severities, monitorIds }: NotificationRoute,
): boolean {
  if (monitorIds !== undefined && !monitorIds.includes(monitor.id)) return false;
  if (severities !== undefined && !severities.includes(severityOf(monitor))) return false;
  return Object.entries(labels).every(([name, value]) => monitor.labels?.[name] === value);
}

/** Also the notifiers that groups of the monitor may be escalated to. */
export const everyNotifierFor = (monitor: RoutedMonitor, routes: readonly NotificationRoute[]): readonly string[] => [
  ...notifiersFor(monitor, routes),
  ...matchingRoutes(monitor, routes).flatMap(({ route }) => route.escalation?.notifierIds ?? []),
];

/** IDs of the notifiers of a monitor, each once. */
export const notifiersFor = (monitor: RoutedMonitor, routes: readonly NotificationRoute[]): readonly string[] => [
  ...new Set([...monitor.notifierIds, ...matchingRoutes(monitor, routes).flatMap(({ route }) => route.notifierIds)]),
];
