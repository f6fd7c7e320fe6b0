import { parseEpoch } from './epoch.js';
import { datedLayouts, yearlessLayouts } from './formats.js';
import { parseLayout } from './go-elements.js';
import type { Steps } from './go-elements.js';
import { instantOf, readLayout } from './go-read.js';
import { parseIso } from './iso.js';
import { lastBefore } from './infer-year.js';
import { shapeOf } from './shape.js';
import { datedDigits, separatedDigits, withoutVariants } from './variants.js';
import { zoneOffsets } from './zones.js';

/** Longer strings are not times; bounds the cost of hostile input. */
export const MAX_TIME_LENGTH = 128;

/**
 * Parses a string in any of the known formats to nanoseconds since the epoch; undefined if no
 * format matches, the date does not exist, or the text is ambiguous.
 *
 * - RFC 3339 and ISO 8601 as described in `iso.ts`; the formats of `formats.ts` in the ways of
 *   `variants.ts`.
 * - Without a zone the time is UTC. Numeric dates with slashes are month first.
 * - A format without a year needs the `reference` time: the year is the last one that puts the time
 *   at most a day after it.
 * - Digits are an epoch, see `epoch.ts`. But 8, 12, 14 or 17 digits that begin with 19, 20 or 21
 *   are a date, `YYYYMMDD[hhmm[ss[mmm]]]`, and 4 or 6 such digits are rejected as too few to tell.
 */
export function parseTimestampText(text: string, reference?: bigint): bigint | undefined {
  if (text.length > MAX_TIME_LENGTH) return undefined;
  const time = isoOf(text);
  if (time !== undefined) return time;
  const trimmed = text.trim();
  if (digitsOnly.test(trimmed)) return parseDigits(trimmed);
  const direct = parseShaped(trimmed, reference);
  if (direct !== undefined) return direct;
  const plain = withoutVariants(trimmed);
  if (plain === trimmed) return undefined;
  return digitsOnly.test(plain) ? parseDigits(plain) : (isoOf(plain) ?? parseShaped(plain, reference));
}

/** The time of a text in the grammar of `iso.ts`. */
function isoOf(text: string): bigint | undefined {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return undefined;
    bytes[at] = code;
  }
  return parseIso(bytes, 0, bytes.length);
}

const digitsOnly = /^[+-]?\d+(?:\.\d+)?$/;
const datedPattern = new RegExp(datedDigits);

function parseDigits(text: string): bigint | undefined {
  return datedPattern.test(text) ? parseShaped(separatedDigits(text), undefined) : parseEpoch(text);
}

interface Format {
  readonly layout: string;
  readonly hasYear: boolean;
  /** Parsed when the first text of this shape occurs. */
  steps?: Steps;
}

let formats: ReadonlyMap<number, readonly Format[]> | undefined;

/** All formats by shape. */
function formatsByShape(): ReadonlyMap<number, readonly Format[]> {
  const byShape = new Map<number, Format[]>();
  for (const [layouts, hasYear] of [[datedLayouts, true] as const, [yearlessLayouts, false] as const]) {
    for (const layout of layouts) {
      const shape = shapeOf(layout);
      const same = byShape.get(shape);
      if (same === undefined) byShape.set(shape, [{ layout, hasYear }]);
      else same.push({ layout, hasYear });
    }
  }
  return byShape;
}

function parseShaped(text: string, reference: bigint | undefined): bigint | undefined {
  formats ??= formatsByShape();
  for (const format of formats.get(shapeOf(text)) ?? []) {
    const reading = readLayout((format.steps ??= parseLayout(format.layout)), text);
    if (reading === undefined || (format.hasYear && reading.year === 0)) continue;
    const inYear = (year: number): bigint | undefined => instantOf({ ...reading, year }, offsetOf);
    const time = format.hasYear
      ? inYear(reading.year)
      : reference === undefined
        ? undefined
        : lastBefore(reference, inYear);
    if (time !== undefined) return time;
  }
  return undefined;
}

const offsetOf = (zone: string): number | undefined => zoneOffsets.get(zone);
