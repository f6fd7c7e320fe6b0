import type { BurnRateAlert, StoredSlo } from '@millrace/api/schemas/slo';
import { type MonitorDraft, plainMonitor } from '../monitor.js';
import { burnRateQuery } from './slo-queries.js';

/** The monitors of an objective: one for each burn-rate alert. */

/** Alerts of the SRE workbook for a window of 30 days: 2%, 5% and 10% of the budget. */
export const defaultAlerts: BurnRateAlert[] = [
  { longMinutes: 60, shortMinutes: 5, burnRate: 14.4, severity: 'critical' },
  { longMinutes: 360, shortMinutes: 30, burnRate: 6, severity: 'error' },
  { longMinutes: 4320, shortMinutes: 360, burnRate: 1, severity: 'warning' },
];

/** ID of the monitor of an alert. Long windows are unique within an objective. */
export const sloMonitorId = (sloId: string, { longMinutes }: Pick<BurnRateAlert, 'longMinutes'>): string =>
  `mon_${sloId.replace(/^slo_/, '')}_${longMinutes}`;

export function sloMonitor(
  slo: Omit<StoredSlo, 'id' | 'createdAt' | 'createdBy' | 'updatedAt'>,
  alert: BurnRateAlert,
): MonitorDraft {
  const { name, objective, windowDays, notifierIds, labels } = slo;
  const { longMinutes, burnRate, severity } = alert;
  const used = Math.round((burnRate * longMinutes * 1000) / (windowDays * 1440)) / 10;
  return {
    ...plainMonitor,
    name: `${name}: budget burns ${burnRate}× too fast`,
    type: 'Threshold',
    description: `${objective}% of events have to be good over ${windowDays} days. At this rate ${used}% of the error budget is used in ${durationText(longMinutes)}.`,
    aplQuery: burnRateQuery(slo, alert),
    language: 'apl',
    operator: 'Above',
    threshold: burnRate,
    columnName: 'burn_rate',
    // A longer window changes more slowly, and costs more to read.
    intervalMinutes: Math.max(1, Math.min(30, Math.round(longMinutes / 72))),
    rangeMinutes: longMinutes,
    notifierIds,
    ...(labels !== undefined && { labels }),
    ...(severity !== undefined && { severity }),
  };
}

function durationText(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
