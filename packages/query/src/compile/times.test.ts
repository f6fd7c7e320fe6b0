import { formatRfc3339 } from '@millrace/timestamps';
import { describe, expect, it } from 'vitest';
import { isUnset, parseTime } from './times.js';

const now = 1_700_000_000_000_000_000n;
const cases: readonly (readonly [string, bigint | undefined])[] = [
  ['now', now],
  ['now-1h', now - 3_600_000_000_000n],
  ['now - 1d', now - 86_400_000_000_000n],
  ['now+90s', now + 90_000_000_000n],
  ['2023-11-14T22:13:20Z', now],
  ['2023-11-14T22:13:20.000000001Z', now + 1n],
  ['now-', undefined],
  ['now-1', undefined],
  ['yesterday-ish', undefined],
  ['now-99999999d', undefined],
  ['now+99999999d', undefined],
  ['0000-01-01T00:00:00+01:00', undefined],
  ['9999-12-31T23:59:59.999999999-01:00', undefined],
];

describe('times of requests', () => {
  it.each(cases)('%s', (text, time) => expect(parseTime(text, now)).toBe(time));
  it.each(['', ' ', '0001-01-01T00:00:00Z', null, undefined])('%j means not given', (text) =>
    expect(isUnset(text)).toBe(true),
  );
  it.each(['0001-01-01T00:00:01Z', '9999-12-31T23:59:59.999999999Z'])('%s can be written again', (text) =>
    expect(formatRfc3339(parseTime(text, now)!)).toBe(text),
  );
  it('a real time is given', () => expect(isUnset('2023-01-01T00:00:00Z')).toBe(false));
});
