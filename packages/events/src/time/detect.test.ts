import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datedLayouts, yearlessLayouts } from './formats.js';
import { formatRfc3339, parseTimestamp, parseTimestampText } from './index.js';
import { formatLayout } from './testing/format-layout.js';

function read(text: string, reference?: string): string | undefined {
  const time = parseTimestampText(text, reference === undefined ? undefined : parseTimestampText(reference));
  return time === undefined ? undefined : formatRfc3339(time);
}

describe('a timestamp in a format nobody named', () => {
  it.each([
    // web and mail
    ['07/Mar/2024:09:08:07 +0100', '2024-03-07T08:08:07Z'],
    ['[07/Mar/2024:09:08:07 +0100]', '2024-03-07T08:08:07Z'],
    ['07/Mar/2024:09:08:07.250 +0100', '2024-03-07T08:08:07.25Z'],
    ['07/Mar/2024:09:08:07', '2024-03-07T09:08:07Z'],
    ['Thu, 07 Mar 2024 09:08:07 GMT', '2024-03-07T09:08:07Z'],
    ['Thu, 7 Mar 2024 09:08:07 -0800', '2024-03-07T17:08:07Z'],
    ['Thu, 7 Mar 2024 09:08:07 +0000 (UTC)', '2024-03-07T09:08:07Z'],
    ['07 Mar 24 09:08 EST', '2024-03-07T14:08:00Z'],
    ['07 Mar 24 09:08 UT', '2024-03-07T09:08:00Z'],
    ['Thursday, 07-Mar-24 09:08:07 GMT', '2024-03-07T09:08:07Z'],
    ['Thu, 07-Mar-2024 09:08:07 GMT', '2024-03-07T09:08:07Z'],
    // C, Unix, Ruby
    ['Thu Mar  7 09:08:07 2024', '2024-03-07T09:08:07Z'],
    ['Thu Mar 07 09:08:07.123456 2024', '2024-03-07T09:08:07.123456Z'],
    ['[Thu Mar 07 09:08:07.123456 2024]', '2024-03-07T09:08:07.123456Z'],
    ['Thu Mar  7 09:08:07 CET 2024', '2024-03-07T08:08:07Z'],
    ['Thu Mar  7 09:08:07 AM PST 2024', '2024-03-07T17:08:07Z'],
    ['Thu Mar 07 09:08:07 +0100 2024', '2024-03-07T08:08:07Z'],
    // what languages print
    ['2024-03-07 09:08:07.123456789 +0100 CET', '2024-03-07T08:08:07.123456789Z'],
    ['2024-03-07 09:08:07.123 +0100 CET m=+0.000042', '2024-03-07T08:08:07.123Z'],
    ['2024-03-07 09:08:07.123 +0800 +08 m=+0.000042', '2024-03-07T01:08:07.123Z'],
    ['2024-03-07 09:08:07 -0330 -0330', '2024-03-07T12:38:07Z'],
    ['2024-03-07 09:08:07 +0800 +09', undefined],
    ['2024-03-07 09:08:07 +0530 IST', '2024-03-07T03:38:07Z'],
    ['Thu Mar 07 2024 09:08:07 GMT+0100 (Central European Standard Time)', '2024-03-07T08:08:07Z'],
    ['2024-03-07 09:08:07,123', '2024-03-07T09:08:07.123Z'],
    ['2024-03-07T09:08:07.123+01:00[Europe/Paris]', '2024-03-07T08:08:07.123Z'],
    ['2024-03-07T09:08:07Z[UTC]', '2024-03-07T09:08:07Z'],
    ['2024-03-07T09:08:07.123456+01:00Z', '2024-03-07T08:08:07.123456Z'],
    ['2024-03-07 09:08:07 (CET)', '2024-03-07T08:08:07Z'],
    ['2024-03-07 09:08:07 UTC', '2024-03-07T09:08:07Z'],
    ['2024-03-07T09:08:07PST', '2024-03-07T17:08:07Z'],
    ['Thu 2024-03-07 09:08:07 UTC', '2024-03-07T09:08:07Z'],
    // logs and databases
    ['2024/03/07 09:08:07', '2024-03-07T09:08:07Z'],
    ['2024/03/07 09:08:07.000001', '2024-03-07T09:08:07.000001Z'],
    ['2024.03.07 09:08:07', '2024-03-07T09:08:07Z'],
    ['20240307-09:08:07.123', '2024-03-07T09:08:07.123Z'],
    ['240307 09:08:07', '2024-03-07T09:08:07Z'],
    ['07/Mar/2024 09:08:07', '2024-03-07T09:08:07Z'],
    ['7 Mar 2024 09:08:07.123', '2024-03-07T09:08:07.123Z'],
    ['07-MAR-2024 09:08:07', '2024-03-07T09:08:07Z'],
    // ISO 8601 in other ways
    ['20240307T090807Z', '2024-03-07T09:08:07Z'],
    ['20240307T090807.5-0800', '2024-03-07T17:08:07.5Z'],
    ['2024-3-7 9:08:07', '2024-03-07T09:08:07Z'],
    ['20240307090807Z', '2024-03-07T09:08:07Z'],
    ['20240307090807.25+0100', '2024-03-07T08:08:07.25Z'],
    ['2024-067', '2024-03-07T00:00:00Z'],
    ['2024-03', '2024-03-01T00:00:00Z'],
    [' 2024-03-07T09:08:07Z ', '2024-03-07T09:08:07Z'],
    ['"2024-03-07T09:08:07Z"', undefined],
    // people
    ['Mar 7, 2024', '2024-03-07T00:00:00Z'],
    ['Mar 7, 2024 9:08pm', '2024-03-07T21:08:00Z'],
    ['Mar 7, 2024, 9:08 PM', '2024-03-07T21:08:00Z'],
    ['March 7th, 2024 at 9:08:07 p.m. PST', '2024-03-08T05:08:07Z'],
    ['Thursday, March 7, 2024', '2024-03-07T00:00:00Z'],
    ['7 March 2024', '2024-03-07T00:00:00Z'],
    ['Sept. 28, 2024', '2024-09-28T00:00:00Z'],
    ['3/7/2024', '2024-03-07T00:00:00Z'],
    ['03/07/2024 09:08:07', '2024-03-07T09:08:07Z'],
    ['3/7/24 9:08:07 PM', '2024-03-07T21:08:07Z'],
    ['3/7/2024, 9:08:07\u{202f}PM', '2024-03-07T21:08:07Z'],
    ['3/7/24 9PM', '2024-03-07T21:00:00Z'],
    // digits
    ['0', '1970-01-01T00:00:00Z'],
    ['1709802487', '2024-03-07T09:08:07Z'],
    ['-1709802487', '1915-10-27T14:51:53Z'],
    ['1709802487123', '2024-03-07T09:08:07.123Z'],
    ['1709802487123456', '2024-03-07T09:08:07.123456Z'],
    ['1709802487123456789', '2024-03-07T09:08:07.123456789Z'],
    ['1709802487.123456789', '2024-03-07T09:08:07.123456789Z'],
    ['20240307', '2024-03-07T00:00:00Z'],
    ['19991231', '1999-12-31T00:00:00Z'],
    ['21240307', '2124-03-07T00:00:00Z'],
    ['202403070908', '2024-03-07T09:08:00Z'],
    ['20240307090807', '2024-03-07T09:08:07Z'],
    ['20240307090807123', '2024-03-07T09:08:07.123Z'],
    ['20240307090807.5', '2024-03-07T09:08:07.5Z'],
    ['12345678', '1970-05-23T21:21:18Z'],
    ['946684800000', '2000-01-01T00:00:00Z'],
  ])('%s is %s', (text, expected) => expect(read(text)).toBe(expected));

  it.each([
    // no such time
    '2024-02-30',
    '2024-02-30T09:08:07Z',
    'Feb 30, 2024',
    '30/Feb/2024:09:08:07 +0000',
    '20240431',
    '20240307250807',
    '0000-01-01',
    '2024-03-07T24:00:00Z',
    // more than one meaning
    '2024',
    '202403',
    '13/2/2024',
    '07.03.2024',
    '07-03-2024',
    '09:08:07',
    '2024-03-07 09:08:07 IST',
    '2024-03-07 09:08:07 XYZ',
    '2024-03-07 09:08:07 (Central European Standard Time)',
    '2024-03-07T09:08:07[Europe/Paris]',
    '2024-03-07T09',
    'Mar  7 09:08:07',
    // something else
    '',
    ' ',
    '-',
    'now',
    'hello world',
    'Thu',
    'March',
    '2024-03-07 and more',
    '10.0.0.1',
    '1.2.3',
    '1e9',
    '12345678901234567890123',
    `Thu, 07 Mar 2024 09:08:07 GMT${' '.repeat(200)}`,
  ])('%j is none', (text) => expect(read(text)).toBeUndefined());

  it.each([
    ['UTC', '09:08:07'],
    ['GMT', '09:08:07'],
    ['GMT+3', '06:08:07'],
    ['GMT-11', '20:08:07'],
    ['UTC+05:30', '03:38:07'],
    ['GMT+0530', '03:38:07'],
    ['EST', '14:08:07'],
    ['EDT', '13:08:07'],
    ['CST', '15:08:07'],
    ['CDT', '14:08:07'],
    ['MST', '16:08:07'],
    ['MDT', '15:08:07'],
    ['PST', '17:08:07'],
    ['PDT', '16:08:07'],
    ['AKST', '18:08:07'],
    ['HST', '19:08:07'],
    ['CET', '08:08:07'],
    ['CEST', '07:08:07'],
    ['EET', '07:08:07'],
    ['MSK', '06:08:07'],
    ['JST', '00:08:07'],
  ])('9:08:07 in %s is %s UTC', (zone, time) =>
    expect(read(`7 Mar 2024 09:08:07 ${zone}`)).toBe(`2024-03-07T${time}Z`),
  );

  it.each([
    ['Mar  7 09:08:07', '2024-03-07T10:00:00Z', '2024-03-07T09:08:07Z'],
    ['Mar  8 09:08:07', '2024-03-07T10:00:00Z', '2024-03-08T09:08:07Z'],
    ['Mar  9 09:08:07', '2024-03-07T10:00:00Z', '2023-03-09T09:08:07Z'],
    ['Dec 31 23:59:59', '2024-01-01T00:00:01Z', '2023-12-31T23:59:59Z'],
    ['Jan  1 00:00:01', '2023-12-31T23:59:59Z', '2024-01-01T00:00:01Z'],
    ['Feb 29 09:08:07', '2024-03-07T10:00:00Z', '2024-02-29T09:08:07Z'],
    ['Feb 29 09:08:07', '2023-03-07T10:00:00Z', '2020-02-29T09:08:07Z'],
    ['7 Mar 09:08:07.5', '2024-03-07T10:00:00Z', '2024-03-07T09:08:07.5Z'],
    ['Mar  7 09:08:07 PST', '2024-03-07T10:00:00Z', '2024-03-07T17:08:07Z'],
  ])('%s, arriving at %s, is %s', (text, reference, expected) => expect(read(text, reference)).toBe(expected));

  it('reads every format it knows as that format', () => {
    const zone = { name: 'MST', hours: -7 };
    const instants = [
      '2024-03-07T15:08:07Z',
      '2001-12-31T22:59:58Z',
      '1999-01-02T07:00:00Z',
      '2030-10-11T19:12:13Z',
      '2000-02-29T20:21:22Z',
    ];
    for (const layout of datedLayouts) {
      for (const instant of instants) {
        const text = formatLayout(
          layout,
          parseTimestampText(instant)!,
          /MST|-07/.test(layout) ? zone : { name: '', hours: 0 },
        );
        const expected = truncated(instant, layout);
        expect([layout, text, read(text)]).toEqual([layout, text, expected]);
        const withWeekday = /^\d|^Jan/.test(layout) ? `Fri, ${text}` : text;
        expect([withWeekday, read(withWeekday)]).toEqual([withWeekday, expected]);
      }
    }
  });

  it('reads formats without a year beside a reference', () => {
    for (const layout of yearlessLayouts) {
      const text = formatLayout(layout, parseTimestampText('2024-03-07T15:08:07Z')!, { name: 'UTC', hours: 0 });
      expect([text, read(text, '2024-05-01')]).toEqual([text, '2024-03-07T15:08:07Z']);
    }
  });

  it('reads 29 February without a year as that of the last leap year', () => {
    for (const [reference, year] of [
      ['2024-02-29', 2024],
      ['2024-02-27', 2020],
      ['2026-11-23', 2024],
      ['2027-06-01', 2024],
      ['2104-02-27', 2096],
    ] as const)
      expect(read('Feb 29 10:00:00', reference)).toBe(`${year}-02-29T10:00:00Z`);
  });

  it('never throws, and reads only between the given ends', () => {
    const piece = fc.constantFrom(
      '2024',
      '03',
      '7',
      ':',
      '-',
      '/',
      ' ',
      'T',
      'Z',
      'Mar',
      'Thu',
      ',',
      '.',
      '+01',
      'PM',
      '[',
      '(',
      'MST',
      'é',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        const bytes = Buffer.from(`1${text}1`);
        expect(parseTimestamp(bytes, 1, bytes.length - 1)).toBe(parseTimestampText(text));
      }),
      { numRuns: 2000 },
    );
  });
});

/** What is left of an instant written in a layout. */
function truncated(instant: string, layout: string): string {
  const time = layout.includes('05')
    ? instant.slice(11)
    : layout.includes('04')
      ? `${instant.slice(11, 16)}:00Z`
      : `${instant.slice(11, 13)}:00:00Z`;
  if (layout === '2006-01') return `${instant.slice(0, 7)}-01T00:00:00Z`;
  return `${instant.slice(0, 10)}T${/15|3/.test(layout) ? time : '00:00:00Z'}`;
}
