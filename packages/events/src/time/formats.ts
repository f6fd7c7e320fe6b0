/**
 * The timestamp formats that are recognised without being declared, as Go layouts; each is its own example. RFC 3339 and similar
 * formats do not get here: `iso.ts` reads them. Left out as ambiguous: day/month/year with slashes, dots or dashes and numeric
 * months (12/11/2026 is read as the 11th of December), and times without a date.
 */

const dates = [
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
  'Jan 2 2006',
  'Jan 2, 2006',
  'Jan-2-2006',
  '2006-Jan-2',
  '2006/Jan/2',
  '2006 Jan 2',
  '20060102',
];

const times = ['15:04:05', '15:04', '3:04:05 PM', '3:04 PM', '3 PM'];

const zones = ['', ' -0700', '-0700', ' -07:00', '-07:00', ' -07', '-07', ' MST', 'MST', 'Z', ' -0700 MST'];

/** The Unix order, which puts the year last, with a zone before or after it. */
const yearLast = ['15:04:05', '3:04:05 PM'].flatMap((time) =>
  ['2006', 'MST 2006', '-0700 2006', '2006 MST', '2006 -0700'].map((rest) => `Jan 2 ${time} ${rest}`),
);

/** Web server access logs, LDAP and certificates, ISO 8601 without marks and to the month, FIX, MySQL before 5.7. */
const others = [
  '2/Jan/2006:15:04:05',
  '2/Jan/2006:15:04:05 -0700',
  '20060102150405Z',
  '20060102150405-0700',
  '20060102 150405',
  '20060102 150405Z',
  '20060102 150405-0700',
  '20060102 150405-07',
  '2006-01',
  '20060102-15:04:05',
  '060102 15:04:05',
];

/** With a weekday, as in mail, HTTP and C. Other formats may have one too, but then take the slower path. */
const withWeekday = [
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
  ...dates.flatMap((date) => times.flatMap((time) => zones.map((zone) => `${date} ${time}${zone}`))),
  ...yearLast,
  ...others,
  ...withWeekday,
];

/** Layouts without a year, as RFC 3164 syslog writes them: only usable with a reference time. */
export const yearlessLayouts: readonly string[] = ['Jan 2 15:04:05', '2 Jan 15:04:05'].flatMap((layout) => [
  layout,
  `${layout} MST`,
]);

/** Layouts of digit strings by length; those of 4 and 6 digits would be a guess. */
export const digitLayouts: Readonly<Record<number, string | undefined>> = {
  8: '20060102',
  12: '200601021504',
  14: '20060102150405',
};

const zoneHours =
  'UTC+0 GMT+0 EST-5 EDT-4 CST-6 CDT-5 MST-7 MDT-6 PST-8 PDT-7 AKST-9 AKDT-8 HST-10 ' +
  'WET+0 WEST+1 CET+1 CEST+2 EET+2 EEST+3 MSK+3 HKT+8 AWST+8 JST+9 KST+9 AEST+10 AEDT+11 NZST+12 NZDT+13';

/**
 * Zone abbreviations with one meaning, in seconds east of UTC: those of RFC 822 and those used in only one place. Others (IST,
 * BST, …) stand for several zones, so a time in one of them is unknown.
 */
export const zoneOffsets: ReadonlyMap<string, number> = new Map(
  zoneHours.split(' ').map((entry) => {
    const [, name, hours] = /^([A-Z]+)(.*)$/.exec(entry)!;
    return [name!, Number(hours) * 3600];
  }),
);
