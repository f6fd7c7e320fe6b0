import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentThread, processorTime } from './thread-clock.js';

it('counts what a thread works, not what it waits', async () => {
  const thread = currentThread();
  const before = processorTime(thread)!;
  await sleep(200);
  const waited = processorTime(thread)! - before;
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 200_000);
  const worked = processorTime(thread)! - before - waited;
  expect(worked).toBeGreaterThan(waited);
});

it('knows nothing of a thread that is not there', () => expect(processorTime(0)).toBeUndefined());
