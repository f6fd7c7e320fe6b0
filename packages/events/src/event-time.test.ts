import { describe, expect, test } from 'vitest';
import { encode, errors, rows } from './testing/encode.js';
import { readBlock } from './testing/read-block.js';
import { compileGoLayout } from '@millrace/timestamps';

describe('the time of an event', () => {
  const time = (body: string, changes?: Parameters<typeof encode>[1]) =>
    readBlock(encode(body, changes).block).map((row) => row['_time']);
  test('is read from _time as number or string, otherwise from the arrival', () => {
    expect(
      time('{"_time":"2024-02-03T04:05:06.789Z"}{"_time":1700000001}{"_time":1700000001.5}{"_time":"1700000002"}{}'),
    ).toEqual([
      1706933106789000000n,
      1700000001000000000n,
      1700000001500000000n,
      1700000002000000000n,
      1700000000000000000n,
    ]);
  });
  test('with the day first is refused, and the failure says what that means for its neighbors', () => {
    expect(errors('{"_time":"1/2/2024"}{"_time":"13/2/2024 10:00"}')).toEqual([
      '_time: "13/2/2024 10:00" is not a timestamp: months come first in dates with slashes, and days up to 12 were read as months; send timestamp-format, such as 2/1/2006 15:04:05',
    ]);
  });
  test('is not stored as a separate column; null is ignored', () => {
    expect(rows('{"_time":1700000001,"a":1}{"_time":null}{"_time":1,"_time":null}{"_time":NaN}')).toEqual([
      { 'a#i': 1n },
      {},
      {},
      {},
    ]);
  });
  test('comes from a declared field, which is taken out of the event', () => {
    const changes = { timestampField: 'meta.ts' };
    const body =
      '{"meta":{"ts":1700000005,"x":1}}{"meta.ts":1700000006}{"_time":1700000007}{"meta.ts":1700000008,"_time":"?"}';
    expect(time(body, changes)).toEqual([5n, 6n, 7n, 8n].map((n) => 1700000000000000000n + n * 1000000000n));
    expect(rows(body, changes)).toEqual([{ 'meta.x#i': 1n }, {}, {}, {}]);
  });
  test('is read by a declared layout', () => {
    const parseTime = (text: string) => (text === 'noon' ? 42n : undefined);
    expect(time('{"_time":"noon"}', { parseTime })).toEqual([42n]);
    expect(errors('{"_time":"night"}', { parseTime })).toEqual([
      '_time: "night" is not a timestamp of the given timestamp-format',
    ]);
  });
  test('is not read by the layout of a declared field that the event lacks', () => {
    const { parse: parseTime } = compileGoLayout('02.01.2006');
    expect(
      time('{"ts":"03.01.2024"}{"_time":"2024-01-04T00:00:00Z"}{"ts":null,"_time":1704412800}', {
        parseTime,
        timestampField: 'ts',
      }),
    ).toEqual([1704240000000000000n, 1704326400000000000n, 1704412800000000000n]);
  });
  test('is read by a declared layout also where it is a number that fits', () => {
    const { parse: parseTime } = compileGoLayout('20060102');
    expect(time('{"_time":20240102}{"_time":"20240103"}{"_time":1700000001}', { parseTime })).toEqual([
      1704153600000000000n,
      1704240000000000000n,
      1700000001000000000n,
    ]);
  });
  test('a date without a year is within the last months before arrival', () => {
    // It arrives on 2023-11-14.
    const { parse: parseTime } = compileGoLayout('Jan _2 15:04:05');
    const found = [1699999999000000000n, 1669852800000000000n];
    expect(time('{"_time":"Nov 14 22:13:19"}{"_time":"Dec  1 00:00:00"}')).toEqual(found);
    expect(time('{"_time":"Nov 14 22:13:19"}{"_time":"Dec  1 00:00:00"}', { parseTime })).toEqual(found);
    const { parse: parseDay } = compileGoLayout('0102');
    expect(time('{"_time":1201}', { parseTime: parseDay })).toEqual([1669852800000000000n]);
  });
  test('an invalid one fails the event', () => {
    expect(
      errors(
        '{"_time":"soon"}\n{"_time":true}\n{"_time":{"a":1}}\n{"_time":1e300}\n{"_time":"1899-12-31T23:59:59Z"}\n{"_time":"2263-01-01"}',
      ),
    ).toEqual([
      '_time: "soon" is not a timestamp of a known format; timestamp-format, a Go layout such as 2.1.2006 15:04, says how yours are written',
      '_time: expected a timestamp as string or number, found a boolean',
      '_time: expected a timestamp as string or number, found an object',
      '_time: 1e300 is no time in s, ms, µs or ns since 1970',
      '_time: 1899-12-31T23:59:59Z is outside of what can be stored (1900-01-01T00:00:00Z to 2262-04-11T23:47:16.854775807Z)',
      '_time: 2263-01-01T00:00:00Z is outside of what can be stored (1900-01-01T00:00:00Z to 2262-04-11T23:47:16.854775807Z)',
    ]);
  });
  test('that its zone moves into the year 10000, or that its layout finds far away, fails the event alone', () => {
    const range = 'is outside of what can be stored (1900-01-01T00:00:00Z to 2262-04-11T23:47:16.854775807Z)';
    expect(errors('{"_time":"9999-12-31T23:59:59-01:00"}\n{"_time":"2026-01-01"}')).toEqual([
      `_time: 253402304399000000000 ns since 1970 ${range}`,
    ]);
    expect(errors('{"_time":"x"}', { parseTime: () => 2n ** 70n })).toEqual([
      `_time: 1180591620717411303424 ns since 1970 ${range}`,
    ]);
  });
  test('range of the stored events', () => {
    expect(encode('{"_time":1700000009}{"_time":1700000001}{"_time":"?"}').times).toEqual({
      min: 1700000001000000000n,
      max: 1700000009000000000n,
    });
    expect(encode('').times).toBeUndefined();
  });
});
