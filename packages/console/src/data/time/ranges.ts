import {
  DAY,
  durationText,
  HOUR,
  instantText,
  MINUTE,
  parseDuration,
  parseInstant,
  resolveInstant,
  SECOND,
} from './instants.js';
import { fractionText, instantAt, wallTime, zonedText } from './zones.js';

/** A time range in the address: each end is `now`, `now-1h` or RFC 3339. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** A resolved range, in nanoseconds. */
export interface Bounds {
  readonly start: bigint;
  readonly end: bigint;
}

export const presets: readonly (Range & { readonly title: string })[] = [
  { title: 'Last 5 minutes', from: 'now-5m', to: 'now' },
  { title: 'Last 15 minutes', from: 'now-15m', to: 'now' },
  { title: 'Last hour', from: 'now-1h', to: 'now' },
  { title: 'Last 6 hours', from: 'now-6h', to: 'now' },
  { title: 'Last 24 hours', from: 'now-24h', to: 'now' },
  { title: 'Last 7 days', from: 'now-7d', to: 'now' },
  { title: 'Last 30 days', from: 'now-30d', to: 'now' },
  { title: 'All time', from: '1970-01-01T00:00:00Z', to: 'now' },
];

/** Resolves a range; undefined if invalid. */
export function boundsOf({ from, to }: Range, now: bigint): Bounds | undefined {
  const [start, end] = [resolveInstant(from, now), resolveInstant(to, now)];
  return start === undefined || end === undefined || start > end ? undefined : { start, end };
}

export const rangeOf = ({ start, end }: Bounds): Range => ({ from: instantText(start), to: instantText(end) });

/** Title of a range: its preset, `now-2h`, or both ends. */
export function rangeTitle(range: Range, zone: string): string {
  const preset = presets.find(({ from, to }) => from === range.from && to === range.to);
  if (preset !== undefined) return preset.title;
  if (range.to === 'now' && range.from.startsWith('now-')) return `Last ${range.from.slice(4)}`;
  const [start, end] = [range.from, range.to].map((text) => ({ text, instant: parseInstant(text) }));
  const rangeText = ({ text, instant }: { readonly text: string; readonly instant: bigint | undefined }): string =>
    instant === undefined ? text : exactText(instant, zone);
  const sameDay =
    start!.instant !== undefined &&
    end!.instant !== undefined &&
    wallTime(start!.instant, zone).day === wallTime(end!.instant, zone).day;
  return `${rangeText(start!)} – ${sameDay ? rangeText(end!).slice(11) : rangeText(end!)}`;
}

/** With the digits of the fraction it needs. */
const exactText = (instant: bigint, zone: string): string =>
  zonedText(instant, zone, 0) + fractionText(instant, 9).replace(/\.?0+$/, '');

/**
 * Parses a typed range: `15m`, `-1h..-30m`, `yesterday 14:00`, `2026-11-26 10:00..11:00`, an epoch
 * in any unit, RFC 3339, or a pasted pair. Local times are in the given zone. Undefined if invalid.
 */
export function parseRange(typed: string, now: bigint, zone: string): Range | undefined {
  const text = typed.trim();
  const preset = presets.find(({ title }) => title.toLowerCase() === text.toLowerCase());
  if (preset !== undefined) return { from: preset.from, to: preset.to };
  const length = parseDuration(text.replace(/^(?:last |-)/i, '').replaceAll(' ', ''));
  if (length !== undefined) return { from: `now-${durationText(length)}`, to: 'now' };
  if (/^(today|yesterday)$/i.test(text)) {
    const day = dayOf(text, now, zone)!;
    const start = instantAt(day, '00:00:00', zone)!;
    return rangeOf({ start, end: /today/i.test(text) ? now : start + DAY - 1n });
  }
  const ends = text.split(/\s*(?:\.\.|–|—|\bto\b|\/|\s-\s|\t|,)\s*/).filter((end) => end !== '');
  if (ends.length === 1) return around(ends[0]!, now, zone);
  if (ends.length !== 2) return undefined;
  const from = endOf(ends[0]!, now, zone, undefined);
  const to = from && endOf(ends[1]!, now, zone, from.day);
  if (from === undefined || to === undefined) return undefined;
  const range = { from: from.text, to: to.text };
  return boundsOf(range, now) === undefined ? undefined : range;
}

/** A single time spans its precision. */
function around(text: string, now: bigint, zone: string): Range | undefined {
  const end = endOf(text, now, zone, undefined);
  const start = end && resolveInstant(end.text, now);
  if (start === undefined) return undefined;
  return rangeOf({ start, end: start + end!.open - 1n });
}

interface End {
  readonly text: string;
  /** Its day, for the other end. */
  readonly day?: string;
  /** Precision: a day for a date, a minute for `10:12`. */
  readonly open: bigint;
}

const EPOCH_UNITS = [10n ** 9n, 10n ** 6n, 10n ** 3n, 1n];

function endOf(typed: string, now: bigint, zone: string, otherDay: string | undefined): End | undefined {
  const text = typed.trim();
  if (/^now([-+].+)?$/.test(text)) return resolveInstant(text, now) === undefined ? undefined : { text, open: MINUTE };
  const back = /^-(.+)$/.exec(text)?.[1];
  const length = back === undefined ? undefined : parseDuration(back);
  if (length !== undefined) return { text: `now-${durationText(length)}`, open: MINUTE };
  const exact = parseInstant(text);
  if (exact !== undefined) return { text: instantText(exact), day: wallTime(exact, zone).day, open: SECOND };
  if (/^\d{9,19}$/.test(text)) {
    // Seconds have 10 digits, each finer unit three more.
    const instant = BigInt(text) * EPOCH_UNITS[Math.min(3, Math.max(0, Math.floor((text.length - 9) / 3)))]!;
    return { text: instantText(instant), day: wallTime(instant, zone).day, open: SECOND };
  }
  return wallEnd(text, now, zone, otherDay);
}

const WALL = /^(?:(\d{4}-\d\d-\d\d|today|yesterday)(?:[T ]+|$))?(?:(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)?)?$/i;

function wallEnd(text: string, now: bigint, zone: string, otherDay: string | undefined): End | undefined {
  const [all, date, hour, minute = '00', second = '00', fraction = ''] = WALL.exec(text) ?? [];
  if (all === undefined || all === '') return undefined;
  const day = date === undefined ? (otherDay ?? wallTime(now, zone).day) : dayOf(date, now, zone);
  const instant =
    day === undefined ? undefined : instantAt(day, `${(hour ?? '0').padStart(2, '0')}:${minute}:${second}`, zone);
  if (day === undefined || instant === undefined) return undefined;
  const within = fraction === '' ? 0n : BigInt(fraction.slice(1).padEnd(9, '0'));
  const open = hour === undefined ? DAY : /:\d\d:/.test(text) ? SECOND : MINUTE;
  return { text: instantText(instant + within), day, open };
}

function dayOf(text: string, now: bigint, zone: string): string | undefined {
  if (/^today$/i.test(text)) return wallTime(now, zone).day;
  if (/^yesterday$/i.test(text)) {
    const today = instantAt(wallTime(now, zone).day, '12:00:00', zone)!;
    return wallTime(today - DAY, zone).day;
  }
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Zooms around the middle: in (0.5) or out (2). */
export function zoom({ start, end }: Bounds, factor: 0.5 | 2): Bounds {
  const length = end - start;
  const quarter = length / 4n;
  return factor === 0.5
    ? { start: start + quarter, end: end - quarter }
    : { start: start - length / 2n, end: end + length / 2n };
}

/** Shifts forward (1) or back (-1) by its own length. */
export const shiftRange = ({ start, end }: Bounds, by: 1 | -1): Bounds => {
  const length = (end - start) * BigInt(by);
  return { start: start + length, end: end + length };
};

const STEPS: readonly bigint[] = [
  1n,
  10n,
  100n,
  1000n,
  10_000n,
  100_000n,
  1_000_000n,
  10_000_000n,
  100_000_000n,
  SECOND,
  2n * SECOND,
  5n * SECOND,
  10n * SECOND,
  15n * SECOND,
  30n * SECOND,
  MINUTE,
  2n * MINUTE,
  5n * MINUTE,
  10n * MINUTE,
  15n * MINUTE,
  30n * MINUTE,
  HOUR,
  2n * HOUR,
  3n * HOUR,
  6n * HOUR,
  12n * HOUR,
  DAY,
  7n * DAY,
  30n * DAY,
  365n * DAY,
];

/** A round bar width such that at most this many fit into the range. */
export function stepFor({ start, end }: Bounds, max: number): bigint {
  const length = end - start;
  return STEPS.find((step) => length / step < BigInt(max)) ?? STEPS.at(-1)!;
}
