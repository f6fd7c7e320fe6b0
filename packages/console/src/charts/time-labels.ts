import { zonedText } from '../data/time/zones.js';

/** Time labels in the viewer's time zone. */

const DAY = 86_400_000;

export const timeText = (milliseconds: number, zone: string): string =>
  zonedText(BigInt(Math.round(milliseconds)) * 1_000_000n, zone, 0);

/** Without the day. */
export const clockText = (milliseconds: number, zone: string): string =>
  timeText(milliseconds, zone).split(' ')[1] ?? '';

/**
 * Axis label: a day at its start or on an axis of several days, seconds on an axis of minutes.
 * @param span of the axis, in milliseconds
 */
export function axisText(at: number, zone: string, span: number): string {
  const [day = '', time = ''] = timeText(at, zone).split(' ');
  if (span > 6 * DAY || time === '00:00:00') return day.slice(5);
  if (span > 2 * DAY) return `${day.slice(5)} ${time.slice(0, 5)}`;
  return span < 300_000 ? time : time.slice(0, 5);
}
