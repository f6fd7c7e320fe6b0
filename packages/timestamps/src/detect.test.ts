import { describe, expect, it } from 'vitest';
import { datedLayouts, yearlessLayouts } from './formats.js';
import { formatRfc3339, parseTimestampText } from './index.js';
import { formatLayout } from './testing/format-layout.js';
import { refusedSpellings, spellings, yearlessSpellings } from './testing/variants.js';

function read(text: string, reference?: string): string | undefined {
  const time = parseTimestampText(text, reference === undefined ? undefined : parseTimestampText(reference));
  return time === undefined ? undefined : formatRfc3339(time);
}

describe('a timestamp in an unknown format', () => {
  it.each(spellings)('%s is %s', (text, expected) => expect(read(text)).toBe(expected));

  it.each(refusedSpellings)('%j is none', (text) => expect(read(text)).toBeUndefined());

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

  it.each(yearlessSpellings)('%s, arriving at %s, is %s', (text, reference, expected) =>
    expect(read(text, reference)).toBe(expected),
  );

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
        const expected = truncateInstant(instant, layout);
        expect([layout, text, read(text)]).toEqual([layout, text, expected]);
        const withWeekday = /^\d|^Jan/.test(layout) ? `Fri, ${text}` : text;
        expect([withWeekday, read(withWeekday)]).toEqual([withWeekday, expected]);
      }
    }
  });

  it('reads formats without a year beside a reference', () => {
    for (const layout of yearlessLayouts) {
      const instant = '2024-03-07T15:08:07Z';
      const text = formatLayout(layout, parseTimestampText(instant)!, { name: 'UTC', hours: 0 });
      expect([text, read(text, '2024-05-01')]).toEqual([text, truncateInstant(instant, layout)]);
    }
  });

  it('dates 29 February without a year in the last leap year', () => {
    for (const [reference, year] of [
      ['2024-02-29', 2024],
      ['2024-02-27', 2020],
      ['2026-11-23', 2024],
      ['2027-06-01', 2024],
      ['2104-02-27', 2096],
    ] as const)
      expect(read('Feb 29 10:00:00', reference)).toBe(`${year}-02-29T10:00:00Z`);
  });
});

/** The instant with the precision of a layout. */
function truncateInstant(instant: string, layout: string): string {
  const time = layout.includes('05')
    ? instant.slice(11)
    : layout.includes('04')
      ? `${instant.slice(11, 16)}:00Z`
      : `${instant.slice(11, 13)}:00:00Z`;
  if (layout === '2006-01') return `${instant.slice(0, 7)}-01T00:00:00Z`;
  return `${instant.slice(0, 10)}T${/15|3/.test(layout) ? time : '00:00:00Z'}`;
}
