import { expect, it } from 'vitest';
import { enqueueRequest } from './request-queue.js';

it('runs four requests in parallel, then the most urgent, and no aborted ones', async () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, urgency: 'rows' | 'aside', signal?: AbortSignal): Promise<void> =>
    enqueueRequest(urgency, signal, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const stopped = new AbortController();
  const first = ['a', 'b', 'c', 'd'].map((name) => ask(name, 'aside'));
  const late = [ask('e', 'aside'), ask('f', 'rows')];
  const unwanted = ask('g', 'rows', stopped.signal);
  stopped.abort();
  await new Promise((resolve) => setTimeout(resolve));
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  ends[0]!();
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'f']);
  ends[1]!();
  await expect(unwanted).rejects.toThrow(/abort/);
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'f', 'e']);
  for (const end of ends) end();
  await Promise.all([...first, ...late]);
});
