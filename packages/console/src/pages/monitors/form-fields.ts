import type { Monitor } from '../../data/alerts.js';

/** Numeric and boolean properties of a monitor, for its form and page. */

type Type = Monitor['type'];
const compares: readonly Type[] = ['Threshold', 'AnomalyDetection'];

type NumberId =
  | 'threshold'
  | 'recoveryThreshold'
  | 'keepFiringMinutes'
  | 'groupMemoryMinutes'
  | 'renotifyMinutes'
  | 'intervalMinutes'
  | 'rangeMinutes'
  | 'secondDelay'
  | 'triggerFromNRuns'
  | 'triggerAfterNPositiveResults'
  | 'tolerance'
  | 'compareDays';

type FlagId = 'alertOnNoData' | 'notifyByGroup' | 'notifyEveryRun' | 'skipResolved';

interface NumberField {
  readonly id: NumberId;
  readonly title: string;
  readonly unit: string;
  readonly types: readonly Type[];
  readonly min?: number;
  readonly max?: number;
  readonly whole: boolean;
  /** Shown even if zero. */
  readonly always?: boolean;
  /** May be empty. */
  readonly optional?: boolean;
  readonly hint: string;
}

const week = 7 * 1440;

export const numberFields: readonly NumberField[] = [
  {
    id: 'threshold',
    title: 'Threshold',
    unit: '',
    types: ['Threshold'],
    whole: false,
    always: true,
    hint: 'Drag the line in the chart to adjust',
  },
  {
    id: 'recoveryThreshold',
    title: 'Resolves at',
    unit: '',
    types: ['Threshold'],
    whole: false,
    optional: true,
    hint: 'Recovery value; empty: the threshold',
  },
  {
    id: 'tolerance',
    title: 'Tolerance',
    unit: '',
    types: ['AnomalyDetection'],
    min: 0,
    max: 100,
    whole: false,
    hint: 'Multiple of normal variation; 0 uses the default of 3',
  },
  {
    id: 'compareDays',
    title: 'Seasonal comparison',
    unit: 'days before',
    types: ['AnomalyDetection'],
    min: 0,
    max: 14,
    whole: true,
    hint: '1 or 7 for days or weeks; 0 for none',
  },
  {
    id: 'intervalMinutes',
    title: 'Every',
    unit: 'minutes',
    types: compares,
    min: 1,
    max: week,
    whole: true,
    always: true,
    hint: 'Interval between runs',
  },
  {
    id: 'rangeMinutes',
    title: 'Lookback window',
    unit: 'minutes',
    types: compares,
    min: 1,
    max: 31 * 1440,
    whole: true,
    always: true,
    hint: 'Time range of each run',
  },
  {
    id: 'secondDelay',
    title: 'Evaluation delay',
    unit: 'seconds',
    types: compares,
    min: 0,
    max: 86_400,
    whole: true,
    hint: 'Allowance for late events',
  },
  {
    id: 'triggerAfterNPositiveResults',
    title: 'Fires after',
    unit: 'runs',
    types: compares,
    min: 0,
    max: 100,
    whole: true,
    hint: 'Breaching runs required; 0 = all in the window',
  },
  {
    id: 'triggerFromNRuns',
    title: 'Within the last',
    unit: 'runs',
    types: compares,
    min: 0,
    max: 100,
    whole: true,
    hint: 'Runs; 0: only the latest',
  },
  {
    id: 'keepFiringMinutes',
    title: 'Keeps firing for',
    unit: 'minutes',
    types: compares,
    min: 1,
    max: week,
    whole: true,
    optional: true,
    hint: 'After the last breaching run; empty: resolves at once',
  },
  {
    id: 'groupMemoryMinutes',
    title: 'Remembers groups for',
    unit: 'minutes',
    types: compares,
    min: 1,
    max: 31 * 1440,
    whole: true,
    optional: true,
    hint: 'Without data, with alerts per group; empty: the server setting',
  },
  {
    id: 'renotifyMinutes',
    title: 'Notifies again after',
    unit: 'minutes',
    types: compares,
    min: 1,
    max: week,
    whole: true,
    optional: true,
    hint: 'While it fires and is not acknowledged; empty: never',
  },
];

interface FlagField {
  readonly id: FlagId;
  readonly title: string;
  readonly types: readonly Type[];
}

export const flagFields: readonly FlagField[] = [
  { id: 'alertOnNoData', title: 'Fire on no data, also of single groups', types: compares },
  { id: 'notifyByGroup', title: 'Alert per group', types: compares },
  { id: 'notifyEveryRun', title: 'Notify on every run while firing', types: compares },
  { id: 'skipResolved', title: 'Do not notify on resolve', types: compares },
];

/** Form values: numbers are strings while they are edited. */
export type NumberTexts = { readonly [Id in NumberId]: string };
export type Flags = { readonly [Id in FlagId]: boolean };
