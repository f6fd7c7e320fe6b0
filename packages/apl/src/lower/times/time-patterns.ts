import { dates, datesWithTime, parseLayout, times, yearlessDates, zoneOffsets, zones } from '@millrace/timestamps';
import type { Element, Variant } from '@millrace/timestamps';

/** The formats of `@millrace/times`, which are Go layouts, as regular expressions of the engine. */

/** Replaces the year of a date without one. */
export const NO_YEAR = '\u0001';

/** Digits since 1970, no more than there are nanoseconds in this calendar. */
export const EPOCH = '^[+-]?0*[0-9]{1,21}(?:[.][0-9]+)?$';

/** A date with the day of a year: the year, the day, and the rest. */
export const ORDINAL_DATE = '^([0-9]{4})-([0-9]{3})( |$)';

/**
 * The regular expression of an element; parts of a date are groups. `runsOn` means that nothing
 * separates an hour from the following element.
 */
function regexOf(element: Element, runsOn: boolean): string {
  switch (element.kind) {
    case 'year':
      return '([0-9]{4})';
    case 'shortYear':
      return '([0-9]{2})';
    case 'month':
    case 'day':
      return element.fixed ? '([0-9]{2})' : '([0-9]{1,2})';
    case 'monthName':
      return '([A-Za-z]{3})';
    case 'yearDay':
      return '([0-9]{3})';
    case 'clock24':
      return runsOn ? '(?:[01][0-9]|2[0-3])' : '(?:[01]?[0-9]|2[0-3])';
    case 'clock12':
      return '(?:0?[0-9]|1[0-2])';
    case 'minute':
      return '[0-5][0-9]';
    case 'second':
      return '(?:[0-5][0-9]|60)(?:[.][0-9]+)?';
    case 'halfDay':
      return '[AP]M';
    case 'offset':
      return offsets[element.shape] ?? '';
    case 'zoneName':
      return `(?:${[...zoneOffsets.keys()].join('|')})`;
    case 'weekdayName':
    case 'fraction':
      return '';
  }
}

const hours = '[+-](?:[01][0-9]|2[0-4])';
const minutes = '(?:[0-5][0-9]|60)';
const offsets: Readonly<Record<string, string>> = {
  '00': hours,
  '0000': `${hours}${minutes}`,
  '00:00': `${hours}:${minutes}`,
};

const quotePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function patternOf(layout: string): string {
  const { steps, tail } = parseLayout(layout);
  const parts = steps.map(
    ({ literal, element }, at) => quotePattern(literal) + regexOf(element, steps[at + 1]?.literal === ''),
  );
  return parts.join('') + quotePattern(tail);
}

const anyOf = (layouts: readonly string[]): string => `(?:${layouts.map(patternOf).join('|')})`;

/**
 * Turns a date at the start of the text into a form that the engine takes: `2006-1-2`,
 * `2 Jan 2006`, or `2006-002`, which it does not.
 */
function canonicalDate(layout: string, after: string): readonly Variant[] {
  const kinds = parseLayout(layout).steps.map(({ element }) => element.kind);
  const at = (kind: Element['kind']): string => `$${kinds.indexOf(kind) + 1}`;
  const rest = `$${kinds.length + 1}`;
  const pattern = patternOf(layout);
  const of = (year: string): string =>
    kinds.includes('monthName')
      ? `${at('day')} ${at('monthName')} ${year}${rest}`
      : kinds.includes('yearDay')
        ? `${year}-${at('yearDay')}${rest}`
        : `${year}-${at('month')}-${at('day')}${rest}`;
  if (kinds.includes('year')) return [{ regex: `^${pattern}(${after})`, becomes: of(at('year')) }];
  if (!kinds.includes('shortYear')) return [{ regex: `^${pattern}(${after})`, becomes: of(NO_YEAR) }];
  // Years of two digits mean 1969 to 2068, as in Go.
  const place = kinds[0] === 'shortYear' ? 0 : pattern.lastIndexOf('([0-9]{2})');
  return [
    ['(?:[0-5][0-9]|6[0-8])', '20'],
    ['(?:69|[7-9][0-9])', '19'],
  ].map(([years = '', century = '']) => ({
    regex: `^${pattern.slice(0, place)}(${years})${pattern.slice(place + '([0-9]{2})'.length)}(${after})`,
    becomes: of(`${century}${at('shortYear')}`),
  }));
}

/**
 * Rewrites strings after `variants`: known dates at the start, and marks and names that the engine
 * would misread.
 */
export const canonicalForms: readonly Variant[] = [
  ...dates
    // Commas have already been removed.
    .filter((layout) => !layout.includes(','))
    .flatMap((layout) => canonicalDate(layout, layout === '20060102' ? ' ' : ' |$')),
  ...datesWithTime.flatMap((layout) => canonicalDate(layout, ' ')),
  // After a date without a year there is a time, and no year.
  ...yearlessDates.flatMap((layout) => canonicalDate(layout, ' (?:[0-9]{1,2}(?::| [AP]M)|[0-9]{6})')),
  { regex: '(:[0-9]{2}|[0-9]{6}),([0-9])', becomes: '$1.$2' },
  { regex: ' ([0-9]{2})([0-9]{2})([0-9]{2})([^0-9:]|$)', becomes: ' $1:$2:$3$4' },
  { regex: '([AP]M)Z$', becomes: '$1 UTC' },
  { regex: '([AP]M)([A-Z]{3,5})$', becomes: '$1 $2' },
  // UTC prevails over an offset, and an offset over any other name.
  { regex: ' [+-][0-9]{4} UTC$', becomes: 'Z' },
  { regex: '( [+-][0-9]{4}) (?:ChST|MeST|[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})$', becomes: '$1' },
];

const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const ordinal = '(?:00[1-9]|0[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-5])';
const day = '(?:0?[1-9]|[12][0-9]|3[01])';
const months = '(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
// Years that overlap the range of 64-bit times; the engine rejects the year 0000.
const years = '(?:1[6-9]|2[0-2])[0-9]{2}';
const year = `(?:${years}|${NO_YEAR})`;

// Halves of the day first: `PMZ` could also be a zone.
const time = anyOf(times.toSorted((a, b) => Number(b.endsWith('PM')) - Number(a.endsWith('PM'))));

/** Matches a time after these rewrites. */
export const timePattern = `^(?:${year}-(?:0?[1-9]|1[0-2])-${day}|${day} ${months} ${year}|${years}-${ordinal}|${leapYear}-366)(?: ${time}${anyOf(zones)})?$`;
