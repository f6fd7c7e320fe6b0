import type { Monitor } from '@millrace/api/schemas/monitor';
import type { Change } from '../state/transition.js';

/** Human-readable texts of notifications. */

const sides = {
  Above: 'above',
  AboveOrEqual: 'above or equal to',
  Below: 'below',
  BelowOrEqual: 'below or equal to',
  AboveOrBelow: 'above or below',
} as const satisfies Record<NonNullable<Monitor['operator']>, string>;

/** One sentence about one change. */
export function describeChange(change: Change, monitor: Monitor): string {
  const { why, action, usual, failure } = change;
  const value = digits(change.value);
  switch (why) {
    case 'nodata':
      return `No data in the last ${minutes(monitor.rangeMinutes)}`;
    case 'silenced':
      return 'Silenced';
    case 'back':
      return 'Data has returned';
    case 'failing':
      return failureText(failure);
    case 'running':
      return 'Runs succeed again';
    case 'unread':
      return 'Still open; newer runs failed';
    case 'edited':
      return 'The monitor was changed';
    case 'forgotten':
      return 'No data for so long that it is no longer watched';
    case 'held':
      return `Still firing with a current value of ${value}`;
    case 'gone':
      return `No data any more in the last ${minutes(monitor.rangeMinutes)}`;
    case 'value':
      break;
  }
  if (monitor.type === 'AnomalyDetection') {
    if (action === 'Closed') return `Current value of ${value} is within the expected range`;
    if (usual === undefined) return `Current value of ${value} is outside of the expected range`;
    const side = value > usual.high ? 'above' : 'below';
    return `Current value of ${value} is ${side} the expected range (${short(usual.low)} to ${short(usual.high)})`;
  }
  const side = sides[monitor.operator ?? 'Above'];
  const not = action === 'Closed' ? 'no longer ' : '';
  const { threshold, recoveryThreshold } = monitor;
  return action === 'Closed' && recoveryThreshold !== undefined
    ? `Current value of ${value} is ${not}${side} the recovery threshold of ${recoveryThreshold}`
    : `Current value of ${value} is ${not}${side} the threshold value of ${threshold}`;
}

function failureText({ runs, problem }: NonNullable<Change['failure']> = { runs: 1, problem: '' }): string {
  const failed = runs === 1 ? 'The last run failed' : `The last ${runs} runs failed`;
  return problem === '' ? failed : `${failed}: ${problem}`;
}

const minutes = (count: number): string => (count === 1 ? 'minute' : `${count} minutes`);
/** Fractions are rounded to 6 significant digits; more are noise of the arithmetic. */
const digits = (value: number): number => (Number.isInteger(value) ? value : short(value));
/** Rounds a computed limit to 6 significant digits. */
const short = (value: number): number => Number(value.toPrecision(6));

/** `service: api, region: eu` */
export const groupText = ({ keys, labels }: Pick<Change, 'keys' | 'labels'>): string =>
  labels.map((label, i) => (keys[i] === undefined ? String(label) : `${keys[i]}: ${String(label)}`)).join(', ');

/** A monitor's name in the history, with the group if it has any. */
export const nameWithGroup = (name: string, { labels }: Pick<Change, 'labels'>): string =>
  labels.length === 0 ? name : `${name} (${labels.map(String).join(', ')})`;
