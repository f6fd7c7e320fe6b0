import { instantText, parseInstant } from './instants.js';
import { instantAt, zonedText } from './zones.js';

/** Times that people type and read, in a zone. */

/** A day, a day and a time, or RFC 3339 → RFC 3339. */
export function readTime(text: string, zone: string): string | undefined {
  const exact = parseInstant(text.trim());
  if (exact !== undefined) return instantText(exact);
  const [, day, hour = '00', minute = '00'] = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d{1,2}):(\d\d))?$/.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const instant = instantAt(day, `${hour.padStart(2, '0')}:${minute}:00`, zone);
  return instant === undefined ? undefined : instantText(instant);
}

/** RFC 3339 → `2026-12-24 18:00`; invalid text unchanged. */
export function minuteText(time: string, zone: string): string {
  const instant = parseInstant(time);
  return instant === undefined ? time : zonedText(instant, zone, 0).slice(0, 16);
}
