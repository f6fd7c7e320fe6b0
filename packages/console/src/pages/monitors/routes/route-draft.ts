import type { NotificationRoute } from '../../../data/alerting/routes.js';
import { isLabelName, labelsIn, labelsText } from '../label-lines.js';

/** The form of a route. */

export const severities = ['info', 'warning', 'error', 'critical'] as const;
type Severity = (typeof severities)[number];

interface RouteDraft {
  readonly name: string;
  readonly labels: string;
  readonly severities: readonly Severity[];
  readonly monitorIds: readonly string[];
  readonly notifierIds: readonly string[];
  readonly continues: boolean;
  /** Empty for no escalation. */
  readonly afterMinutes: string;
  readonly escalatedIds: readonly string[];
}

export const routeDraftOf = (route: NotificationRoute | undefined): RouteDraft => ({
  name: route?.name ?? '',
  labels: labelsText(route?.labels),
  severities: route?.severities ?? [],
  monitorIds: route?.monitorIds ?? [],
  notifierIds: route?.notifierIds ?? [],
  continues: route?.continue === true,
  afterMinutes: route?.escalation === undefined ? '' : String(route.escalation.afterMinutes),
  escalatedIds: route?.escalation?.notifierIds ?? [],
});

type RouteProblems = Readonly<Partial<Record<keyof RouteDraft, string>>>;

export function routeProblems(draft: RouteDraft): RouteProblems {
  const minutes = Number(draft.afterMinutes);
  const hasMinutes = draft.afterMinutes.trim() !== '';
  return {
    ...(draft.name.trim() === '' && { name: 'Enter a name' }),
    ...(!Object.keys(labelsIn(draft.labels)).every(isLabelName) && { labels: 'One name=value per line' }),
    ...(hasMinutes &&
      !(Number.isInteger(minutes) && minutes >= 1 && minutes <= 10_080) && { afterMinutes: 'From 1 to 10080 minutes' }),
    ...(hasMinutes && draft.escalatedIds.length === 0 && { escalatedIds: 'Choose whom to notify then' }),
  };
}

/** Conditions without values are left out: they would match no monitor. */
export function routeOf(draft: RouteDraft): NotificationRoute {
  const labels = labelsIn(draft.labels);
  return {
    name: draft.name.trim(),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(draft.severities.length > 0 && { severities: [...draft.severities] }),
    ...(draft.monitorIds.length > 0 && { monitorIds: [...draft.monitorIds] }),
    notifierIds: [...draft.notifierIds],
    ...(draft.afterMinutes.trim() !== '' && {
      escalation: { afterMinutes: Number(draft.afterMinutes), notifierIds: [...draft.escalatedIds] },
    }),
    ...(draft.continues && { continue: true }),
  };
}
