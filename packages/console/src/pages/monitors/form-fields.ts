import type { Monitor } from '../../data/alerts.js';

/**
 * The members of a monitor that are numbers or yes and no, as the form and the page of a monitor
 * show them.
 */

type Type = Monitor['type'];
const compares: readonly Type[] = ['Threshold', 'AnomalyDetection'];
const every: readonly Type[] = ['Threshold', 'AnomalyDetection', 'MatchEvent'];

type NumberId =
  | 'threshold'
  | 'intervalMinutes'
  | 'rangeMinutes'
  | 'secondDelay'
  | 'triggerFromNRuns'
  | 'triggerAfterNPositiveResults'
  | 'tolerance'
  | 'compareDays';

type FlagId = 'alertOnNoData' | 'notifyByGroup' | 'notifyEveryRun' | 'skipResolved' | 'resolvable';

interface NumberField {
  readonly id: NumberId;
  readonly title: string;
  readonly unit: string;
  readonly types: readonly Type[];
  readonly least?: number;
  readonly most?: number;
  readonly whole: boolean;
  /** Shown even if it is zero. */
  readonly always?: boolean;
  readonly hint: string;
}

const week = 7 * 1440;

export const numberFields: readonly NumberField[] = [
  { id: 'threshold', title: 'Threshold', unit: '', types: ['Threshold'], whole: false, always: true, hint: 'Or drag the line' },
  { id: 'tolerance', title: 'Tolerance', unit: '', types: ['AnomalyDetection'], least: 0, most: 100, whole: false, hint: 'Times the usual variation; 0 is 3' },
  { id: 'compareDays', title: 'Also unlike', unit: 'days before', types: ['AnomalyDetection'], least: 0, most: 14, whole: true, hint: '1 or 7 for days or weeks; 0 for none' },
  { id: 'intervalMinutes', title: 'Every', unit: 'minutes', types: compares, least: 1, most: week, whole: true, always: true, hint: 'Minutes from run to run' },
  { id: 'rangeMinutes', title: 'Looks back', unit: 'minutes', types: compares, least: 1, most: 31 * 1440, whole: true, always: true, hint: 'Minutes that each run looks at' },
  { id: 'secondDelay', title: 'Waits', unit: 'seconds', types: compares, least: 0, most: 86_400, whole: true, hint: 'Seconds, for events that come late' },
  { id: 'triggerAfterNPositiveResults', title: 'Opens after', unit: 'runs', types: compares, least: 0, most: 100, whole: true, hint: 'Runs that found something; 0: each of those beside' },
  { id: 'triggerFromNRuns', title: 'Of the last', unit: 'runs', types: compares, least: 0, most: 100, whole: true, hint: 'Runs; 0: only the latest' },
]; // prettier-ignore

interface FlagField {
  readonly id: FlagId;
  readonly title: string;
  readonly types: readonly Type[];
}

export const flagFields: readonly FlagField[] = [
  { id: 'alertOnNoData', title: 'Open when there is no data', types: compares },
  { id: 'notifyByGroup', title: 'Each group opens and closes by itself', types: compares },
  { id: 'notifyEveryRun', title: 'Tell again on each run while it is open', types: compares },
  { id: 'skipResolved', title: 'Tell nobody when it closes', types: compares },
  { id: 'resolvable', title: 'Marked as resolvable (kept for other tools, has no effect)', types: every },
];

/** What a draft holds: numbers are texts while they are typed. */
export type NumberTexts = { readonly [Id in NumberId]: string };
export type Flags = { readonly [Id in FlagId]: boolean };
