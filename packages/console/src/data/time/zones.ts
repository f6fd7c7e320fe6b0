import { MILLISECOND, SECOND } from './instants.js';

/** Times in the zone that the viewer wants: `local`, `UTC` or a name of IANA. */

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

/** `Europe/Berlin` for `local`, as the browser has it. */
export const zoneName = (zone: string): string =>
  zone === 'local' ? formatOf('local').resolvedOptions().timeZone : zone;

/** How a zone is called where room is short: `UTC`, `Berlin`. */
export const zoneLabel = (zone: string): string => zoneName(zone).split('/').at(-1)!.replaceAll('_', ' ');

interface WallTime {
  readonly day: string;
  readonly time: string;
}

/** Formatting is slow, and rows of one second have the same wall time but for the fraction. */
const walls = new Map<string, WallTime>();
const MOST_KEPT = 20_000;

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
  if (walls.size > MOST_KEPT) walls.clear();
  walls.set(key, wall);
  return wall;
}

/** `2026-11-26 10:12:03.114`; with `digits` of the fraction, 0 to 9. */
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
 * The instant at which clocks of the zone show this time. Of two, where clocks go back, the first;
 * where they skip it, the moment they skip.
 */
export function instantAt(day: string, time: string, zone: string): bigint | undefined {
  const wanted = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(wanted)) return undefined;
  // What clocks show is off by the zone's offset at about that time: two steps find it.
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
