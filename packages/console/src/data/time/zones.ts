import { MILLISECOND, SECOND } from './instants.js';

/** Times in the viewer's zone: `local`, `UTC` or an IANA name. */

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(zone !== 'local' && { timeZone: zone }),
  });
  formats.set(zone, made);
  return made;
};

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Resolves `local` to the browser's zone, such as `Europe/Berlin`. */
export const zoneName = (zone: string): string =>
  zone === 'local' ? formatOf('local').resolvedOptions().timeZone : zone;

/** Short zone name: `UTC`, `Berlin`. */
export const zoneLabel = (zone: string): string => zoneName(zone).split('/').at(-1)!.replaceAll('_', ' ');

interface WallTime {
  readonly day: string;
  readonly time: string;
}

/** Cached: formatting is slow, and rows of one second differ only in the fraction. */
const walls = new Map<string, WallTime>();
const MAX_KEPT = 20_000;

export function wallTime(instant: bigint, zone: string): WallTime {
  const second = instant >= 0n ? instant / SECOND : (instant - SECOND + 1n) / SECOND;
  const key = `${zone} ${second}`;
  const known = walls.get(key);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(Number(second) * 1000)
      .map(({ type, value }) => [type, value]),
  );
  const wall = {
    day: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}:${parts['second']}`,
  };
  if (walls.size > MAX_KEPT) walls.clear();
  walls.set(key, wall);
  return wall;
}

/** `2026-11-26 10:12:03.114`; with 0 to 9 `digits` of the fraction. */
export function zonedText(instant: bigint, zone: string, digits = 3): string {
  const { day, time } = wallTime(instant, zone);
  return `${day} ${time}${fractionText(instant, digits)}`;
}

export function fractionText(instant: bigint, digits: number): string {
  if (digits === 0) return '';
  const within = ((instant % SECOND) + SECOND) % SECOND;
  return `.${String(within).padStart(9, '0').slice(0, digits)}`;
}

/**
 * Instant of a local time. An ambiguous one, when clocks go back, is the first; a skipped one is
 * the moment of the skip.
 */
export function instantAt(day: string, time: string, zone: string): bigint | undefined {
  const wanted = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(wanted)) return undefined;
  // Local time differs by the zone's offset at about that time: two steps find it.
  let guess = wanted;
  for (let step = 0; step < 3; step++) {
    const wall = wallTime(BigInt(guess) * MILLISECOND, zone);
    const shown = Date.parse(`${wall.day}T${wall.time}Z`);
    const off = Math.floor(wanted / 1000) * 1000 - shown;
    if (off === 0) break;
    guess += off;
  }
  return BigInt(guess) * MILLISECOND;
}
