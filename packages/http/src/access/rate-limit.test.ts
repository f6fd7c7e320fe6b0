import { expect, test } from 'vitest';
import { limitHeaders, RateLimit } from './rate-limit.js';

test('counts each caller separately, and resets every minute', () => {
  let now = 120_500;
  const limit = new RateLimit(2, () => now);
  expect(limit.take('a')).toEqual({ allowed: true, limit: 2, remaining: 1, reset: 180 });
  expect(limit.take('a')).toEqual({ allowed: true, limit: 2, remaining: 0, reset: 180 });
  expect(limit.take('a')).toEqual({ allowed: false, limit: 2, remaining: 0, reset: 180 });
  expect(limit.take('b').allowed).toBe(true);
  now = 179_999;
  expect(limit.take('a').allowed).toBe(false);
  now = 180_000;
  expect(limit.take('a')).toEqual({ allowed: true, limit: 2, remaining: 1, reset: 240 });
});

test('headers are complete, as clients want them', () => {
  expect(limitHeaders('Ingest', { allowed: false, limit: 5, remaining: 0, reset: 60 })).toEqual({
    'x-ingestlimit-limit': '5',
    'x-ingestlimit-remaining': '0',
    'x-ingestlimit-reset': '60',
  });
});
