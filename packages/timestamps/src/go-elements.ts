/**
 * The elements of a Go reference-time layout. A layout shows the moment
 * `Mon Jan 2 15:04:05 MST 2006` (`-0700`) in the wanted format.
 */

/** Elements of a layout. `fixed` numbers need all their digits. */
export type Element =
  | { readonly kind: 'year' | 'shortYear' | 'clock24' | 'zoneName' }
  | {
      readonly kind: 'month' | 'day' | 'clock12' | 'minute' | 'second';
      readonly fixed: boolean;
      readonly padded?: true;
    }
  | { readonly kind: 'yearDay'; readonly fixed: boolean }
  | { readonly kind: 'monthName' | 'weekdayName'; readonly long: boolean }
  | { readonly kind: 'halfDay'; readonly am: string; readonly pm: string }
  | { readonly kind: 'offset'; readonly shape: OffsetShape; readonly zulu: boolean }
  | { readonly kind: 'fraction'; readonly digits: number; readonly optional: boolean };

export type OffsetShape = '00' | '0000' | '00:00' | '000000' | '00:00:00';

/** One element and the literal text before it. */
export interface Step {
  readonly literal: string;
  readonly element: Element;
}

export interface Steps {
  readonly steps: readonly Step[];
  readonly tail: string;
}

const elements: Readonly<Record<string, Element>> = {
  January: { kind: 'monthName', long: true },
  Jan: { kind: 'monthName', long: false },
  Monday: { kind: 'weekdayName', long: true },
  Mon: { kind: 'weekdayName', long: false },
  MST: { kind: 'zoneName' },
  '2006': { kind: 'year' },
  '06': { kind: 'shortYear' },
  '01': { kind: 'month', fixed: true },
  '1': { kind: 'month', fixed: false },
  '02': { kind: 'day', fixed: true },
  '2': { kind: 'day', fixed: false },
  _2: { kind: 'day', fixed: false, padded: true },
  '002': { kind: 'yearDay', fixed: true },
  __2: { kind: 'yearDay', fixed: false },
  '15': { kind: 'clock24' },
  '03': { kind: 'clock12', fixed: true },
  '3': { kind: 'clock12', fixed: false },
  '04': { kind: 'minute', fixed: true },
  '4': { kind: 'minute', fixed: false },
  '05': { kind: 'second', fixed: true },
  '5': { kind: 'second', fixed: false },
  PM: { kind: 'halfDay', am: 'AM', pm: 'PM' },
  pm: { kind: 'halfDay', am: 'am', pm: 'pm' },
  Z070000: { kind: 'offset', shape: '000000', zulu: true },
  'Z07:00:00': { kind: 'offset', shape: '00:00:00', zulu: true },
  Z0700: { kind: 'offset', shape: '0000', zulu: true },
  'Z07:00': { kind: 'offset', shape: '00:00', zulu: true },
  Z07: { kind: 'offset', shape: '00', zulu: true },
  '-070000': { kind: 'offset', shape: '000000', zulu: false },
  '-07:00:00': { kind: 'offset', shape: '00:00:00', zulu: false },
  '-0700': { kind: 'offset', shape: '0000', zulu: false },
  '-07:00': { kind: 'offset', shape: '00:00', zulu: false },
  '-07': { kind: 'offset', shape: '00', zulu: false },
};

/**
 * The next element of a layout. Alternatives are tried from left to right; a name directly followed
 * by a lower-case letter is an ordinary word.
 */
const nextElement =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|0[1-6]|002|15|1|2006|2|_2(?!006)|__2|[345]|PM|pm|[Z-]07(?:0000|:00:00|00|:00|)|[.,](?:0+|9+)(?!\d)/g;

/** Literals and elements of a layout, in order. */
export function parseLayout(layout: string): Steps {
  const steps: Step[] = [];
  let at = 0;
  for (const match of layout.matchAll(nextElement)) {
    const text = match[0];
    const element = elements[text] ?? { kind: 'fraction', digits: text.length - 1, optional: text[1] === '9' };
    steps.push({ literal: layout.slice(at, match.index), element });
    at = match.index + text.length;
  }
  return { steps, tail: layout.slice(at) };
}
