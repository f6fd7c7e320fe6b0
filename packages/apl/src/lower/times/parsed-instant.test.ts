import { column, literal, printExpr } from '@millrace/sql';
import {
  dates,
  datesWithTime,
  formatRfc3339,
  parseTimestampText,
  times,
  yearlessDates,
  zones,
} from '@millrace/timestamps';
import { formatLayout, refusedSpellings, spellings, yearlessSpellings } from '@millrace/timestamps/testing';
import { expect, test } from 'vitest';
import { testEngine } from '../../testing/engine.js';
import { parsedInstant } from './parsed-instant.js';

/** The engine parses times like ingest: the same cases run through both. */

const engine = testEngine();
const sql = printExpr(parsedInstant(column('text')));

function inEngine(texts: readonly string[]): readonly (bigint | undefined)[] {
  const list = texts.map((text) => printExpr(literal(text))).join(', ');
  const answer = engine.text(
    `SELECT ifNull(toString(toUnixTimestamp64Nano(${sql})), '-') FROM (SELECT arrayJoin([${list}]) AS text) FORMAT TSV`,
  );
  return answer
    .trimEnd()
    .split('\n')
    .map((line) => (line === '-' ? undefined : BigInt(line)));
}

const formatInstant = (time: bigint | undefined): string | undefined =>
  time === undefined ? undefined : formatRfc3339(time);

/** The texts that the two read differently. */
function differences(texts: readonly string[], reference?: bigint): readonly unknown[] {
  const found = inEngine(texts);
  return texts.flatMap((text, at) => {
    const [query, ingest] = [formatInstant(found[at]), formatInstant(parseTimestampText(text, reference))];
    return query === ingest ? [] : [{ text, query, ingest }];
  });
}

test('times are read as they are meant', () =>
  expect(inEngine(spellings.map(([text]) => text)).map(formatInstant)).toEqual(spellings.map(([, time]) => time)));

test('a time that ingest rejects is null in a query', () =>
  expect(inEngine(refusedSpellings)).toEqual(refusedSpellings.map(() => undefined)));

test('without a year the time is the latest until a day after now', () =>
  expect(
    differences(
      yearlessSpellings.map(([text]) => text),
      BigInt(Date.now()) * 1_000_000n,
    ),
  ).toEqual([]));

test('every format, with every kind of time and zone, is read alike', () => {
  const instants = ['2024-03-07T15:08:07Z', '1999-12-31T22:59:58Z', '2030-10-11T06:12:13Z', '2000-02-29T20:21:22Z'].map(
    (text) => parseTimestampText(text)!,
  );
  const layouts = [
    ...dates,
    ...[...dates, ...datesWithTime, ...yearlessDates].flatMap((date, at) =>
      times.flatMap((time, of) => {
        // Each date is combined with each time, and together they cover each zone.
        const zone = [zones[(at + of) % zones.length]!, zones[(at * 5 + of * 3) % zones.length]!];
        return zone.map((name) => `${date} ${time}${name}`);
      }),
    ),
    ...zones.map((zone) => `2 Jan 2006 15:04:05${zone}`),
  ];
  const texts = layouts.flatMap((layout, at) => {
    const zone = /MST|-07/.test(layout) ? { name: 'MST', hours: -7 } : { name: '', hours: 0 };
    const text = formatLayout(layout, instants[at % instants.length]!, zone);
    return [text, `Sun, ${text}`, text.replace(/(:\d\d)(?= |$)/, '$1,25')];
  });
  expect(texts.length).toBeGreaterThan(500);
  expect(differences(texts, BigInt(Date.now()) * 1_000_000n)).toEqual([]);
});
