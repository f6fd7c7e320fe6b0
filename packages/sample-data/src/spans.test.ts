import { describe, expect, it } from 'vitest';
import { sampleTraffic } from './sample-traffic.js';
import { type SampleSpan, spansOf } from './spans.js';

const events = sampleTraffic({ count: 2000, end: Date.UTC(2026, 0, 1), milliseconds: 3_600_000, seed: 5 });
const traces = events.map((event) => ({ event, spans: spansOf(event) }));

/** Nanoseconds since the epoch. */
const begins = ({ _time }: SampleSpan): bigint =>
  BigInt(Date.parse(`${_time.slice(0, 19)}Z`)) * 1_000_000n + BigInt(_time.slice(20, 29));

const ends = (span: SampleSpan): bigint => begins(span) + BigInt(span.duration);

describe('the trace of a request', () => {
  it('has one root, and every other span lies within its parent', () => {
    const strangers = traces.filter(({ event, spans }) => {
      const roots = spans.filter(({ parent_span_id }) => parent_span_id === undefined);
      return roots.length !== 1 || spans.some(({ trace_id }) => trace_id !== event.trace_id);
    });
    expect(strangers).toEqual([]);
    const outside = traces.flatMap(({ spans }) =>
      spans.filter((span) => {
        if (span.parent_span_id === undefined) return false;
        const parent = spans.find(({ span_id }) => span_id === span.parent_span_id);
        return parent === undefined || begins(span) < begins(parent) || ends(span) > ends(parent);
      }),
    );
    expect(outside).toEqual([]);
  });

  it('of a failed payment has the failed step', () => {
    const failed = traces.filter(({ event }) => event.error !== undefined);
    expect(failed.length).toBeGreaterThan(20);
    for (const { event, spans } of failed) {
      const leaves = spans.filter(({ span_id }) => spans.every(({ parent_span_id }) => parent_span_id !== span_id));
      expect(leaves.filter(({ error }) => error).map(({ name }) => name)).toEqual(['POST payments:9000/charge']);
      expect(spans.find(({ error }) => error)).toMatchObject({ 'status.message': event.error!.message });
    }
  });
});
