import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '@millrace/alerts/testing/receiver';
import { executedFirst } from './support/executed-first.js';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.js';

/** A mute from the start to its end, with a real server whose minutes are short, and a receiver. */

const minute = 1000;
const speed = 60_000 / minute;
const began = Date.now();
const fastClock = executedFirst(
  `const real = Date.now; Date.now = () => ${began} + Math.floor((real() - ${began}) * ${speed});`,
);
/** Time of the server. */
const serverTime = (aheadMinutes: number): string =>
  new Date(began + (Date.now() - began) * speed + aheadMinutes * 60_000).toISOString();

const directory = temporaryDirectory();
let server: ServerProcess;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  server = await startServer(directory, {
    MILLRACE_LOG_LEVEL: 'silent',
    MILLRACE_NOTIFY_PRIVATE_ADDRESSES: 'true',
    ...fastClock,
  });
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
  removeDirectory(directory);
});

async function call<T>(path: string, body?: unknown, method?: string): Promise<T> {
  const answer = await request(server, path, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(method !== undefined && { method }),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as T;
}

test('at the end of a mute one message says what is still open; the history has what opened and closed', async () => {
  await call('/v2/datasets', { name: 'logs' });
  const faults = (host: string, change: 1 | -1) => call('/v1/datasets/logs/ingest', [{ host, change }]);
  const { id: notifierId } = await call<{ id: string }>('/v2/notifiers', {
    name: 'night shift',
    properties: { webhook: { url: receiver.urlOf('/hook') } },
  });
  const draft = {
    name: 'Faults',
    type: 'Threshold',
    aplQuery: "['logs'] | summarize sum(change) by host",
    operator: 'Above',
    threshold: 0,
    intervalMinutes: 1,
    rangeMinutes: 1440,
    notifyByGroup: true,
    notifierIds: [notifierId],
  };
  const { id } = await call<{ id: string }>('/v2/monitors', draft);
  const mute = (disabledUntil: string) => call(`/v2/monitors/${id}`, { ...draft, disabledUntil }, 'PUT');
  /** The messages so far: action and hosts. */
  const messages = () =>
    receiver.received.map(({ body: { action, event } }) => [
      action,
      ...event.body.split('\n').map((line) => /host: (\w+)/.exec(line)?.[1] ?? line),
    ]);
  const history = async () =>
    (
      await call<readonly { name: string; state: string }[]>(
        `/v2/monitors/${id}/history?startTime=2020-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z`,
      )
    )
      .map(({ name, state }) => `${name} ${state}`)
      .toSorted();

  await faults('before', 1);
  await expect.poll(messages).toEqual([['Open', 'before']]);
  await mute(serverTime(7 * 1440));
  await expect.poll(messages).toEqual([['Open', 'before'], ['Closed', 'before']]); // prettier-ignore
  await faults('during', 1);
  await faults('brief', 1);
  await expect.poll(history).toEqual(['Faults (before) open', 'Faults (brief) open', 'Faults (during) open']);
  await faults('brief', -1);
  await expect.poll(history).toContain('Faults (brief) closed');
  expect(messages()).toHaveLength(2);

  await mute(serverTime(2));
  await expect.poll(() => messages().length).toBeGreaterThan(2);
  await faults('during', -1);
  await expect.poll(() => messages().length).toBe(4);
  const [, , opened, closed] = messages();
  expect([opened?.[0], opened?.slice(1).toSorted(), closed]).toEqual([
    'Open',
    ['before', 'during'],
    ['Closed', 'during'],
  ]);
  expect(await history()).toEqual([
    'Faults (before) open',
    'Faults (brief) closed',
    'Faults (brief) open',
    'Faults (during) closed',
    'Faults (during) open',
  ]);
});
