import type { IncidentSummary } from '@millrace/api/schemas/incident';
import type { MonitorStatus, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { PublicStatus, StatusPage } from '@millrace/api/schemas/status-page';

/** What the public may see of monitors: neither values nor groups, queries or names. */

type PublicState = PublicStatus['state'];

const ranks: Readonly<Record<PublicState, number>> = { operational: 0, unknown: 1, degraded: 2, disrupted: 3 };
const dayMilliseconds = 86_400_000;
export const shownDays = 30;

interface StatusData {
  readonly monitors: readonly StoredMonitor[];
  readonly statuses: readonly MonitorStatus[];
  /** Incidents that may overlap the shown days. */
  readonly incidents: readonly IncidentSummary[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Deleted monitors are left out. */
export function publicStatus({ title, message, monitors }: StatusPage, known: StatusData): PublicStatus {
  const components = monitors.flatMap(({ monitorId, name }) => {
    const monitor = known.monitors.find(({ id }) => id === monitorId);
    const status = known.statuses.find(({ id }) => id === monitorId);
    if (monitor === undefined || status === undefined) return [];
    const since = status.openGroups.flatMap((group) => group.since ?? []).toSorted()[0];
    const isDown = status.state === 'open' || status.state === 'nodata';
    return [
      {
        name,
        state: stateOf(monitor, status),
        ...(isDown && since !== undefined && { since }),
        days: daysOf(
          known.incidents.filter((incident) => incident.monitorId === monitorId),
          Date.parse(monitor.createdAt),
          known.now,
        ),
      },
    ];
  });
  const worst = components.map(({ state }) => state).toSorted((a, b) => ranks[b] - ranks[a])[0];
  return {
    title,
    ...(message !== undefined && message !== '' && { message }),
    state: worst ?? 'unknown',
    updatedAt: new Date(known.now).toISOString(),
    components,
  };
}

function stateOf({ severity }: StoredMonitor, { state }: MonitorStatus): PublicState {
  switch (state) {
    case 'ok':
      return 'operational';
    case 'open':
    case 'nodata':
      return severity === 'info' || severity === 'warning' ? 'degraded' : 'disrupted';
    case 'error':
    case 'off':
      return 'unknown';
  }
}

/**
 * Part of each day with an open incident, oldest first; the last day ends now. Days before the
 * monitor existed are left out: nothing is known of them.
 */
function daysOf(
  incidents: readonly Pick<IncidentSummary, 'openedAt' | 'closedAt'>[],
  created: number,
  now: number,
): number[] {
  const days = Math.min(shownDays, Math.max(1, Math.ceil((now - created) / dayMilliseconds)));
  const spans = incidents
    .map(
      ({ openedAt, closedAt }) => [Date.parse(openedAt), closedAt === undefined ? now : Date.parse(closedAt)] as const,
    )
    .toSorted(([a], [b]) => a - b);
  return Array.from({ length: days }, (_, index) => {
    const end = now - (days - 1 - index) * dayMilliseconds;
    const start = end - dayMilliseconds;
    // Incidents of several groups overlap: each moment counts once.
    let [covered, upTo] = [0, start];
    for (const [from, to] of spans) {
      const first = Math.max(from, upTo);
      const last = Math.min(to, end);
      if (last <= first) continue;
      covered += last - first;
      upTo = last;
    }
    return Number((covered / dayMilliseconds).toFixed(4));
  });
}
