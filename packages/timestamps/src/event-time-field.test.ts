import { describe, expect, it } from 'vitest';
import { eventTimeField } from './event-time-field.js';

const now = 1_790_000_000_000_000_000n;

describe('the field with the event time', () => {
  it.each<readonly [string, readonly Readonly<Record<string, unknown>>[], string | undefined]>([
    ['of Elasticsearch', [{ '@timestamp': '2026-01-02T03:04:05.123Z', msg: 'a' }], '@timestamp'],
    ['of Windows', [{ EventTime: '2026-01-02 03:04:05' }], 'EventTime'],
    ['of pino, in milliseconds', [{ time: 1_767_323_045_123, level: 30 }], 'time'],
    ['of zap, in seconds', [{ ts: 1_767_323_045.123 }], 'ts'],
    ['as digits of a CSV', [{ event_time: '1767323045' }], 'event_time'],
    ['of a web server', [{ date: '02/Jan/2026:03:04:05 +0000' }], 'date'],
    ['by the most telling name', [{ time: '2026-01-02T03:04:05Z', timestamp: '2026-01-02T03:04:06Z' }], 'timestamp'],
    ['where some events lack it', [{ a: 1 }, { ts: '2026-01-02T03:04:05Z' }, { ts: null }], 'ts'],
    ['is not a day', [{ date: '2026-01-02' }], undefined],
    ['is not a duration', [{ time: 12.5 }], undefined],
    ['is not of some events only', [{ time: '2026-01-02T03:04:05Z' }, { time: 'noon' }], undefined],
    ['is not a plan', [{ time: '2099-01-02T03:04:05Z' }], undefined],
    ['is not needed with _time', [{ _time: '2026-01-02T03:04:05Z', timestamp: '2026-01-02T03:04:05Z' }], undefined],
    ['has a usual name', [{ created: '2026-01-02T03:04:05Z' }], undefined],
    ['is not in no events', [], undefined],
  ])('%s', (_, events, name) => expect(eventTimeField(events, now)).toBe(name));
});
