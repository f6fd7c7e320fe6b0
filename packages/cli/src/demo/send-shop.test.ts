import { afterEach, expect, it } from 'vitest';
import { Client } from '../connection/client.js';
import { type ScriptedServer, scriptedServer } from '../testing/fake-server.js';
import { streamShopTraffic } from './send-shop.js';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

interface SentEvent {
  readonly _time: string;
  readonly host?: string;
  readonly trace_id: string;
}

const start = Date.UTC(2026, 0, 1, 12);

/** Requests of the first hour, and of this many seconds after it. */
async function shop(
  seconds: number,
): Promise<{ readonly hour: readonly SentEvent[]; readonly live: readonly SentEvent[] }> {
  server = await scriptedServer(() => ({ body: {} }));
  let now = start;
  let hourRequests = 0;
  const stopping = new AbortController();
  await streamShopTraffic({
    client: new Client({ url: server.url, token: 'xapt-x' }),
    rate: 2,
    stopping: stopping.signal,
    filled: () => void (hourRequests = server!.received.length),
    clock: () => now,
    pause: async (milliseconds) => {
      now += milliseconds;
      if (now > start + seconds * 1000) stopping.abort();
    },
  });
  const eventsOf = (requests: ScriptedServer['received']): readonly SentEvent[] =>
    requests
      .filter(({ url }) => url.pathname.endsWith('/logs/ingest'))
      .flatMap(({ body }) => JSON.parse(body.toString()) as SentEvent[]);
  return {
    hour: eventsOf(server.received.slice(0, hourRequests)),
    live: eventsOf(server.received.slice(hourRequests)),
  };
}

it('sends an hour of events and continues; one host is late, and no event is sent twice', async () => {
  const { hour, live } = await shop(30);
  expect(hour.length).toBeGreaterThan(5000);
  const late = live.filter(({ _time }) => Date.parse(_time) < start - 1000);
  expect(new Set(late.map(({ host }) => host))).toEqual(new Set(['catalogue-2']));
  const traces = [...hour, ...live].map(({ trace_id }) => trace_id);
  expect(new Set(traces).size).toBe(traces.length);
});
