import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../connection/client.js';
import { type ReceivedRequest, type Reply, type ScriptedServer, scriptedServer } from '../testing/fake-server.js';
import { arrivals, doesNotTail } from './arrivals.js';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const event = (n: number): string =>
  `{"event":{"id":900719925474099${n},"_time":"2026-11-20T10:00:0${n}Z"},"position":"${n}","cursor":"c${n}"}\n`;
const settledLine = (position: number): string => `{"settled":"${position}","at":"2026-11-20T10:00:00Z"}\n`;
const over = '{"end":{"reason":"time"}}\n';

/** Reasons of retries. */
const retries: string[] = [];

/** The first events from a server with these responses, and its requests. */
async function firstEvents(count: number, replies: readonly Reply[], start?: string) {
  server = await scriptedServer((_, n) => replies[n] ?? 'hang-up');
  retries.length = 0;
  const ids: (string | undefined)[] = [];
  const client = new Client({ url: server.url, token: 'xaat-x' });
  const recordRetry = ({ message }: Error): void => void retries.push(message);
  for await (const each of arrivals({ client, dataset: "it's", start, interval: 1, pausing: recordRetry })) {
    expect([...each.keys()][0]).toBe('_time');
    ids.push(each.get('id'));
    if (ids.length === count) break;
  }
  const requests = server.received.map(({ url, body }: ReceivedRequest) => [url.pathname, JSON.parse(body.toString())]);
  return { ids, requests };
}

const apl = "['it\\'s']";
const id = (n: number): string => `900719925474099${n}`;

describe('arrivals', () => {
  it('resumes after the last event when interrupted, and after the watermark when the response ends', async () => {
    const { ids, requests } = await firstEvents(3, [
      { breakOff: `${settledLine(4)}${event(5)}${event(6).slice(0, 30)}` },
      { body: `${event(6)}${settledLine(7)}${over}` },
      { body: event(8) },
    ]);
    expect(ids).toEqual([id(5), id(6), id(8)]);
    expect(requests).toEqual([
      ['/v1/tail', { apl }],
      ['/v1/tail', { apl, after: 'c5' }],
      ['/v1/tail', { apl, after: '7' }],
    ]);
    expect(retries).toEqual([expect.stringContaining('closed the connection mid-response')]);
  });

  it('with a start time, returns past events and then new ones', async () => {
    const past = (n: number): string => `{"id":${id(n)},"_time":"2026-11-20T09:00:0${n}Z","_cursor":"p${n}"}\n`;
    const { ids, requests } = await firstEvents(
      3,
      [{ body: settledLine(4) }, { breakOff: past(1) }, { body: past(2) }, { body: event(5) }],
      'now-1h',
    );
    expect(ids).toEqual([id(1), id(2), id(5)]);
    const sorted = { apl: `${apl} | sort by _time asc`, asOf: '4', includeCursorField: true };
    expect(requests).toEqual([
      ['/v1/tail', { apl }],
      ['/v1/export', { ...sorted, startTime: 'now-1h' }],
      ['/v1/export', { ...sorted, cursor: 'p1' }],
      ['/v1/tail', { apl, after: '4' }],
    ]);
  });

  it('retries when the server ended its response, and stops at its error', async () => {
    const ended = '{"error":{"code":"unauthenticated","message":"the token is no longer good"}}\n';
    const refused = { status: 403, body: { message: 'no such token' } };
    await expect(firstEvents(2, [{ body: `${event(1)}${ended}` }, refused])).rejects.toMatchObject({
      exit: 'refused',
      message: 'no such token',
    });
    expect(retries).toEqual([expect.stringContaining('the token is no longer good')]);
  });

  it('does not mistake a missing route for a missing dataset', async () => {
    const missing = { status: 404, headers: { 'x-millrace-error': 'dataset-not-found' }, body: { message: 'no' } };
    const [dataset, route] = await Promise.all(
      [missing, { status: 404, body: {} }].map(async (reply) => {
        const other = await scriptedServer(() => reply);
        try {
          const client = new Client({ url: other.url, token: 'xaat-x' });
          return await client.send('tail', { body: { apl } }).catch(doesNotTail);
        } finally {
          await other.close();
        }
      }),
    );
    expect([dataset, route]).toEqual([false, true]);
  });
});
