import { type Element, parseLayout } from './go-elements.js';
import { instantOf, readLayout } from './go-read.js';
import { lastBefore } from './infer-year.js';

/** A parsed layout, ready to read texts. */
export interface GoLayout {
  readonly layout: string;
  /**
   * Nanoseconds since the epoch, by the rules of Go's `time.Parse` with UTC as the local zone:
   * parts missing from the layout are year 0, January, day 1, midnight, UTC; a zone abbreviation,
   * even GMT+3, counts as UTC; weekdays are read but not compared with the date; a fraction may
   * follow the seconds even if the layout has none. Undefined when the text does not fit; that
   * includes a sign in place of a digit (`+9` for a year), which Go accepts. With a reference time,
   * a layout that names a day but no year gets the last year that puts the time at most a day after
   * it, as when the format is detected.
   */
  readonly parse: (text: string, reference?: bigint) => bigint | undefined;
}

/**
 * A layout in which no part of the reference time was recognized. The message is for the client.
 */
export class GoLayoutError extends Error {
  override readonly name = 'GoLayoutError';
}

/**
 * @throws GoLayoutError when no element of the reference time occurs in the layout, as in
 * `YYYY-MM-DD` or `%Y-%m-%d`.
 */
export function compileGoLayout(layout: string): GoLayout {
  const compiled = parseLayout(layout);
  if (compiled.steps.length === 0) {
    throw new GoLayoutError(
      `timestamp format ${JSON.stringify(layout)} names no part of a time: write the reference time ` +
        'Mon Jan 2 15:04:05 -0700 2006 the way your timestamps look, for example 2006-01-02 15:04:05',
    );
  }
  const kinds = new Set(compiled.steps.map(({ element }) => element.kind));
  const lacksYear = namesDay(kinds) && !kinds.has('year') && !kinds.has('shortYear');
  const parse = (text: string, reference?: bigint): bigint | undefined => {
    const reading = readLayout(compiled, text);
    if (reading === undefined) return undefined;
    return lacksYear && reference !== undefined
      ? lastBefore(reference, (year) => instantOf({ ...reading, year }, unknownZone))
      : instantOf(reading, unknownZone);
  };
  return { layout, parse };
}

/**
 * Whether elements identify a day within a year: for a time alone, or a month, no year would be
 * right.
 */
const namesDay = (kinds: ReadonlySet<Element['kind']>): boolean =>
  kinds.has('yearDay') || (kinds.has('day') && (kinds.has('month') || kinds.has('monthName')));

/**
 * Go parses the time as UTC with any abbreviation, even `GMT+3`, unless it belongs to the local
 * zone.
 */
const unknownZone = (): number => 0;
