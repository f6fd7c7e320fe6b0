import { parseEpoch } from './epoch.js';
import { datedLayouts, digitLayouts, yearlessLayouts, zoneOffsets } from './formats.js';
import { parseLayout } from './go-elements.js';
import type { Steps } from './go-elements.js';
import { instantOf, readLayout } from './go-read.js';
import { parseIso } from './iso.js';
import { lastBefore } from './last-before.js';
import { shapeOf } from './shape.js';

/** Longer texts are not timestamps; bounds what a hostile one can cost. */
const maxLength = 128;

/**
 * Nanoseconds since the epoch of the timestamp between `start` and `end`, in any of the known formats; undefined when it is in
 * none of them, when there is no such date, or when it is ambiguous.
 *
 * - RFC 3339 and ISO 8601 as described in `iso.ts`; the formats of `formats.ts` with optional weekday, full month names,
 *   ordinals (`May 8th`), `am`/`PM`, a zone's name after its offset, enclosing brackets and any amount of white space.
 * - Without a zone the time is UTC. Numeric dates with slashes are month first.
 * - A format without a year needs the `reference` time: the year is the last one that puts the time at most a day after it.
 * - Digits are an epoch, see `epoch.ts`. But 8, 12, 14 or 17 digits that begin with 19, 20 or 21 are a date,
 *   `YYYYMMDD[hhmm[ss[mmm]]]`, and 4 or 6 such digits are rejected as too few to tell.
 */
export function parseTimestamp(bytes: Uint8Array, start: number, end: number, reference?: bigint): bigint | undefined {
  const time = parseIso(bytes, start, end);
  if (time !== undefined || end - start > maxLength) return time;
  return detect(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString(), reference);
}

/** The same for a string. */
export function parseTimestampText(text: string, reference?: bigint): bigint | undefined {
  if (text.length > maxLength) return undefined;
  const bytes = Buffer.from(text);
  return parseTimestamp(bytes, 0, bytes.length, reference);
}

function detect(text: string, reference: bigint | undefined): bigint | undefined {
  const trimmed = text.trim();
  if (digitsOnly.test(trimmed)) return parseDigits(trimmed);
  const time = parseShaped(trimmed, reference);
  if (time !== undefined) return time;
  const plain = withoutVariants(trimmed);
  if (plain === trimmed) return undefined;
  const bytes = Buffer.from(plain);
  return parseIso(bytes, 0, bytes.length) ?? parseShaped(plain, reference);
}

const digitsOnly = /^[+-]?\d+(?:\.\d+)?$/;
const datedDigits = /^(?:19|20|21)\d\d(?:(?:\d\d)?|\d{4}(?:\d{4}(?:\d\d(?:\d{3})?)?)?)(?:\.\d+)?$/;

function parseDigits(text: string): bigint | undefined {
  if (!datedDigits.test(text)) return parseEpoch(text);
  const whole = /^\d+/.exec(text)![0];
  const written = whole.length === 17 ? `${text.slice(0, 14)}.${text.slice(14)}` : text;
  const layout = digitLayouts[Math.min(whole.length, 14)];
  const reading = layout === undefined ? undefined : readLayout(parseLayout(layout), written);
  return reading === undefined ? undefined : instantOf(reading, offsetOf);
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

const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]? /i;
const month =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:(?<=jan)uary|(?<=feb)ruary|(?<=mar)ch|(?<=apr)il|(?<=jun)e|(?<=jul)y|(?<=aug)ust|(?<=sep)t(?:ember)?|(?<=oct)ober|(?<=nov|dec)ember|)\b\.?/i;
const offsetFromUtc = / ?(?:GMT|UTC) ?([+-])(\d\d?)(?::?(\d\d))?$/;

/** The text with its variants reduced to the one spelling the formats use. */
function withoutVariants(text: string): string {
  return text
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/ m=[+-][\d.]+$/, '')
    .replace(/(?<=[+-]\d\d:\d\d)Z$/, '') // what the client for Python writes of a time with a zone
    .replace(/(?<=[+-]\d\d:?\d\d|Z) ?(?:\([^()]*\)|\[[^[\]]*\])$/, '') // the name of a zone whose offset is known
    .replace(/([+-]\d\d)(\d\d) \1(?:\2)?$/, '$1$2') // Go names a zone without a name by its offset
    .replace(/ \(([A-Z]{3,5})\)$/, ' $1')
    .replace(/\s+/g, ' ')
    .replace(weekday, '')
    .replace(month, '$1')
    .replace(/(\d)(?:st|nd|rd|th)\b/i, '$1')
    .replace(/,? at /i, ' ')
    .replace(/, /g, ' ')
    .replace(/(\d)T(?=\d)/i, '$1 ')
    .replace(/(\d) ?([ap])\.?m\b\.?/i, (_, digit: string, half: string) => `${digit} ${half.toUpperCase()}M`)
    .replace(
      offsetFromUtc,
      (_, sign: string, hours: string, minutes = '00') => ` ${sign}${hours.padStart(2, '0')}${minutes}`,
    )
    .replace(/ UT$/, ' UTC')
    .replace(/ Z$/i, 'Z');
}
