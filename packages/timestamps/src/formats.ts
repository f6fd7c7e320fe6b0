/**
 * The formats of times that are recognized without being declared, as Go layouts; each is its own
 * example. The parsers of ingest and of the language derive from these tables and from
 * `variants.ts`. Excluded as ambiguous: day/month/year with slashes, dots or dashes and numeric
 * months (12/11/2026 is the 11th of December), leading years of two digits (`17/06/09`), and times
 * without a date.
 */

/** Dates with a year. */
export const dates: readonly string[] = [
  '2006-1-2',
  '2006/1/2',
  '2006.1.2',
  '2006-002',
  '1/2/2006',
  '1/2/06',
  '2/Jan/2006',
  '2-Jan-2006',
  '2-Jan-06',
  '2 Jan 2006',
  '2 Jan 06',
  '2Jan2006',
  'Jan 2 2006',
  'Jan 2, 2006',
  'Jan-2-2006',
  '2006-Jan-2',
  '2006/Jan/2',
  '2006 Jan 2',
  '20060102',
];

/** Dates that need a time after them: six digits alone are seconds since 1970. */
export const datesWithTime: readonly string[] = ['060102'];

/**
 * Dates without a year, as RFC 3164 syslog and Android write them: only usable with a reference
 * time, and with a time of day.
 */
export const yearlessDates: readonly string[] = ['Jan 2', '2 Jan', '01-02'];

/** Times of day after a date and a blank; seconds may have a fraction. */
export const times: readonly string[] = ['15:04:05', '15:04', '3:04:05 PM', '3:04 PM', '3 PM', '150405'];

/** Suffixes of a time. */
export const zones: readonly string[] = [
  '',
  ' -0700',
  '-0700',
  ' -07:00',
  '-07:00',
  ' -07',
  '-07',
  ' MST',
  'MST',
  'Z',
  ' -0700 MST',
];

/** The Unix order, which puts the year last, with a zone before or after it. */
const yearLast = ['Jan 2', '2 Jan'].flatMap((date) =>
  ['15:04:05', '3:04:05 PM'].flatMap((time) =>
    ['2006', 'MST 2006', '-0700 2006', '2006 MST', '2006 -0700'].map((rest) => `${date} ${time} ${rest}`),
  ),
);

/**
 * Formats that a variant also converts to one of the above, but that are so frequent that ingest
 * parses them directly: web servers, LDAP and certificates, FIX, mail, HTTP, C.
 */
const frequent = [
  '2/Jan/2006:15:04:05',
  '2/Jan/2006:15:04:05 -0700',
  '20060102150405Z',
  '20060102150405-0700',
  '20060102-15:04:05',
  'Mon, 2 Jan 2006 15:04:05 MST',
  'Mon, 2 Jan 2006 15:04:05 -0700',
  'Monday, 02-Jan-06 15:04:05 MST',
  'Mon Jan 2 15:04:05 2006',
  'Mon Jan 2 15:04:05 MST 2006',
  'Mon Jan 2 15:04:05 -0700 2006',
];

/** Layouts that contain the whole date. */
export const datedLayouts: readonly string[] = [
  ...dates,
  ...[...dates, ...datesWithTime].flatMap((date) =>
    times.flatMap((time) => zones.map((zone) => `${date} ${time}${zone}`)),
  ),
  ...yearLast,
  ...frequent,
];

/** Layouts without a year. */
export const yearlessLayouts: readonly string[] = yearlessDates.flatMap((date) =>
  times.flatMap((time) => zones.map((zone) => `${date} ${time}${zone}`)),
);
