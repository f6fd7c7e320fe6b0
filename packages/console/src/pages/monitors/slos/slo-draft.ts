import type { RequestOf } from '@millrace/client';
import type { Slo } from '../../../data/alerting/slos.js';
import { isLabelName, labelsIn, labelsText } from '../label-lines.js';

/** The form of an objective. */

interface SloDraft {
  readonly name: string;
  readonly description: string;
  readonly aplQuery: string;
  readonly good: string;
  readonly objective: string;
  readonly windowDays: string;
  readonly notifierIds: readonly string[];
  readonly labels: string;
}

type Body = RequestOf<'createSlo'>['body'];

export const newSlo: SloDraft = {
  name: '',
  description: '',
  aplQuery: '',
  good: '',
  objective: '99.9',
  windowDays: '30',
  notifierIds: [],
  labels: '',
};

export const sloDraftOf = (slo: Slo): SloDraft => ({
  name: slo.name,
  description: slo.description ?? '',
  aplQuery: slo.aplQuery,
  good: slo.good,
  objective: String(slo.objective),
  windowDays: String(slo.windowDays),
  notifierIds: slo.notifierIds,
  labels: labelsText(slo.labels),
});

type SloProblems = Readonly<Partial<Record<keyof SloDraft, string>>>;

export function sloProblems(draft: SloDraft): SloProblems {
  const objective = Number(draft.objective);
  const days = Number(draft.windowDays);
  const labels = Object.keys(labelsIn(draft.labels));
  return {
    ...(draft.name.trim() === '' && { name: 'Enter a name' }),
    ...(draft.aplQuery.trim() === '' && { aplQuery: 'Enter the events that count' }),
    ...(draft.good.trim() === '' && { good: 'Enter when an event is good' }),
    ...(!(objective > 0 && objective < 100) && { objective: 'Between 0 and 100' }),
    ...(!(Number.isInteger(days) && days >= 1 && days <= 90) && { windowDays: 'From 1 to 90 days' }),
    ...(!labels.every(isLabelName) && { labels: 'One name=value per line' }),
  };
}

/** @param present keeps alerts that the form does not show */
export function sloBodyOf(draft: SloDraft, present: Slo | undefined): Body {
  const labels = labelsIn(draft.labels);
  const windowDays = Number(draft.windowDays);
  // A shorter window has no room for the longest default alert.
  const alerts = present?.alerts ?? defaultAlerts;
  return {
    name: draft.name.trim(),
    description: draft.description,
    aplQuery: draft.aplQuery,
    good: draft.good,
    objective: Number(draft.objective),
    windowDays,
    alerts: alerts.filter(({ longMinutes }) => longMinutes <= windowDays * 1440),
    notifierIds: [...draft.notifierIds],
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}

/** Those of the server. */
const defaultAlerts = [
  { longMinutes: 60, shortMinutes: 5, burnRate: 14.4, severity: 'critical' },
  { longMinutes: 360, shortMinutes: 30, burnRate: 6, severity: 'error' },
  { longMinutes: 4320, shortMinutes: 360, burnRate: 1, severity: 'warning' },
] as const;

/** `Allows 43 min of full outage, or 1 bad event of 1,000`. */
export function allowanceText({ objective, windowDays }: Pick<SloDraft, 'objective' | 'windowDays'>): string {
  const part = 1 - Number(objective) / 100;
  if (!(part > 0 && part < 1)) return '';
  const minutes = part * Number(windowDays) * 1440;
  const outage = minutes < 120 ? `${Number(minutes.toPrecision(2))} min` : `${Number((minutes / 60).toPrecision(2))} h`;
  return `Allows 1 bad event of ${Math.round(1 / part).toLocaleString('en')}, or ${outage} of full outage`;
}
