import { expect, test } from 'vitest';
import { CallsInFlight } from './calls-in-flight.js';

const principal = (tokenId: string) =>
  ({ kind: 'api-token', tokenId, tokenName: '', userId: 'u', capabilities: [] }) as const;

/** Starts a call that lasts until it is canceled or the returned function is called. */
function start(calls: CallsInFlight, id: number, token = 'a', agent = 'agent') {
  const abort = new AbortController();
  let end = (): void => {};
  const body = { method: 'tools/call', id };
  const done = calls.run(
    { principal: principal(token), abort, body },
    agent,
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  return { abort, end: () => (end(), done) };
}

const cancel = (calls: CallsInFlight, requestId: unknown, token = 'a', agent = 'agent') =>
  calls.run(
    {
      principal: principal(token),
      abort: new AbortController(),
      body: { method: 'notifications/cancelled', params: { requestId } },
    },
    agent,
    async () => undefined,
  );

test('a call is canceled by its ID, by the agent that made it, while it runs', async () => {
  const calls = new CallsInFlight();
  const [one, two] = [start(calls, 1), start(calls, 2)];
  await cancel(calls, 1, 'b');
  await cancel(calls, 1, 'a', 'other');
  await cancel(calls, '1');
  expect(one.abort.signal.aborted).toBe(false);
  await cancel(calls, 1);
  expect([one.abort.signal.aborted, two.abort.signal.aborted]).toEqual([true, false]);
  await two.end();
  await cancel(calls, 2);
  expect(two.abort.signal.aborted).toBe(false);
});

test('nothing is canceled when two calls have the ID', async () => {
  const calls = new CallsInFlight();
  const [one, two] = [start(calls, 1), start(calls, 1)];
  await cancel(calls, 1);
  expect([one.abort.signal.aborted, two.abort.signal.aborted]).toEqual([false, false]);
  await one.end();
  await cancel(calls, 1);
  expect(two.abort.signal.aborted).toBe(true);
});
