import { expect, test } from 'vitest';
import { boundedWork } from './bounded-work.js';

const settings = { queryMaxSamples: 1000, queryMemoryBytes: 1e6 };
const limits = { signal: new AbortController().signal, deadline: Infinity, grant: { memoryBytes: 10_000 }, settings };

function* steps(step: () => void): Generator<void, string> {
  for (let i = 0; i < 1000; i++) {
    step();
    yield;
  }
  return 'done';
}

test('more samples than the setting are an error of the query', async () => {
  const { work, take } = boundedWork(limits);
  await expect(take(steps(() => work.touch(1)))).resolves.toBe('done');
  await expect(take(steps(() => work.touch(1)))).rejects.toMatchObject({
    code: 'query-too-large',
    message: expect.stringContaining('touch more than 1000 samples (MILLRACE_QUERY_MAX_SAMPLES)'),
  });
});

test('too much memory is an error that a larger grant may avoid', async () => {
  const { work, take } = boundedWork(limits);
  await expect(take(steps(() => work.create('value', 80)))).rejects.toMatchObject({ code: 'memory-limit' });
});

test('it ends when the client leaves, and at the deadline', async () => {
  const leaving = new AbortController();
  const left = boundedWork({ ...limits, signal: leaving.signal });
  await expect(left.take(steps(() => leaving.abort()))).rejects.toMatchObject({ code: 'query-cancelled' });
  const late = boundedWork({ ...limits, deadline: performance.now() - 1 });
  await expect(late.take(steps(() => undefined))).rejects.toMatchObject({ code: 'time-limit' });
});
