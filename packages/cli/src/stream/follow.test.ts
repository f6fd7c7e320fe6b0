import { afterEach, expect, it } from 'vitest';
import { Client } from '../connection/client.js';
import { type ReceivedRequest, type Reply, type ScriptedServer, scriptedServer } from '../testing/fake-server.js';
import { follow } from './follow.js';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** A server on which one more event has arrived at each request. */
function growingReply(request: ReceivedRequest): Reply {
  const { cursor } = JSON.parse(request.body.toString()) as { cursor?: string };
  const next = cursor === undefined ? 0 : Number(cursor) + 1;
  const match = `{"_time":"2026-11-20T10:00:00Z","_rowId":"${next}","data":{"id":900719925474099${next}}}`;
  return { body: `{"matches":[${match}]}` };
}

/** Reasons of pauses. */
const retries: string[] = [];
const recordRetry = ({ message }: Error): void => void retries.push(message);

async function firstEvents(
  count: number,
  answer: (request: ReceivedRequest, n: number) => Reply,
): Promise<readonly unknown[]> {
  server = await scriptedServer(answer);
  const client = new Client({ url: server.url, token: 'xaat-x' });
  const events: unknown[] = [];
  retries.length = 0;
  for await (const event of follow({
    client,
    dataset: "it's",
    start: '2026-11-20T10:00:00Z',
    interval: 1,
    pausing: recordRetry,
  })) {
    events.push(event.get('id'));
    if (events.length === count) break;
  }
  return events;
}

const expectedIds = ['9007199254740990', '9007199254740991', '9007199254740992'];

it('continues after the last row, and long-polls', async () => {
  expect(await firstEvents(3, growingReply)).toEqual(expectedIds);
  const [first, second] = server!.received;
  expect(first?.url.pathname).toBe("/v1/datasets/it's/query");
  expect(first?.url.searchParams.get('streaming-duration')).toBe('5s');
  expect(JSON.parse(second!.body.toString())).toMatchObject({ cursor: '0', order: [{ field: '_time', desc: false }] });
});

it('falls back to APL on a server without the structured query', async () => {
  expect(
    await firstEvents(3, (request) =>
      request.url.pathname.endsWith('/query') ? { status: 404, body: { message: 'not found' } } : growingReply(request),
    ),
  ).toEqual(expectedIds);
  expect(JSON.parse(server!.received.at(-1)!.body.toString())).toMatchObject({
    apl: "['it\\'s'] | sort by _time asc | limit 1000",
  });
});

it('survives faults without losing or repeating an event', async () => {
  const fault = (n: number): Reply | undefined =>
    n % 3 === 0 ? 'hang-up' : n % 3 === 1 ? { status: 503, headers: { 'retry-after': '0.01' } } : undefined;
  expect(await firstEvents(3, (request, n) => fault(n) ?? growingReply(request))).toEqual(expectedIds);
  expect(retries).toHaveLength(6);
  expect(retries.slice(0, 2)).toEqual([expect.stringContaining('cannot reach'), expect.stringContaining('503')]);
});

it.each([404, 400])('reports a missing dataset whatever a query of it returns: %i', async (apl) => {
  const status = (request: ReceivedRequest): number => (request.url.pathname.endsWith('/query') ? 404 : apl);
  const answer = (request: ReceivedRequest): Reply => ({ status: status(request), body: { message: 'no dataset' } });
  await expect(firstEvents(1, answer)).rejects.toMatchObject({ exit: 'not-found' });
});
