import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({
    maxBodyBytes: 128 << 20,
    maxDecompressedBytes: 200 << 20,
    requestTimeout: 1000,
    ingestThreads: 1,
  });
  for (const name of ['large', 'small', 'aborted', 'slow', 'late', 'bombs']) await world.dataset(name);
});
afterAll(() => world.close());

const send = (dataset: string, body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${world.url}/v1/datasets/${dataset}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/x-ndjson', ...headers },
    body: body as Uint8Array<ArrayBuffer>,
  });

const countOf = async (dataset: string): Promise<unknown> =>
  (await world.apl(`['${dataset}'] | count`)).tables[0]?.columns[0]?.[0];

/** Sends the head of a request and part of its body over a new socket. */
function begin(dataset: string, announced: number, body: string) {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /v1/datasets/${dataset}/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.owner}\r\n` +
      `Content-Type: application/x-ndjson\r\nContent-Length: ${announced}\r\n\r\n${body}`,
  );
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  socket.on('error', () => undefined);
  return { socket, closed };
}

test('what arrives after its request was refused for being late is not stored', async () => {
  const events = '{"a":1}\n'.repeat(2);
  const { socket, closed } = begin('late', events.length, events.slice(0, 5));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.end(events.slice(5));
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
  // Events of a batch are stored in order, so the earlier one is stored if a later one is.
  await world.ingest('late', [{ a: 2 }]);
  expect(await countOf('late')).toBe(1);
}, 60_000);

test('while 100 MB are taken in, other requests are answered', async () => {
  const event = `${JSON.stringify({ path: '/api/v1/things', status: 200, user: 'someone', text: 'x'.repeat(180) })}\n`;
  const events = Math.ceil(100e6 / event.length);
  const body = gzipSync(event.repeat(events), { level: 1 });
  // Threads and routes are warm.
  await send('small', body.subarray(0, 0));
  await world.ingest('small', [{ a: 1 }]);
  let over = false;
  const started = performance.now();
  const taken = send('large', body, { 'content-encoding': 'gzip' }).finally(() => (over = true));
  const waits: number[] = [];
  for (let n = 0; !over; n++) {
    const before = performance.now();
    const [health, small] = await Promise.all([
      world.send('GET', '/healthz'),
      world.send<{ ingested: number }>('POST', '/v1/datasets/small/ingest', [{ n }]),
    ]);
    expect([health.status, small.status]).toEqual([200, 200]);
    waits.push(performance.now() - before);
    await sleep(5);
  }
  const seconds = performance.now() - started;
  const answer = await taken;
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ ingested: events, failed: 0 });
  // If the body were encoded in the main thread, one of the requests would wait nearly as long as
  // the body takes. On a fast machine that is a third of a second, and garbage collection of the
  // heap, which all test files share, takes a large part of that.
  expect(Math.max(...waits)).toBeLessThan(0.8 * seconds);
  expect(waits.length).toBeGreaterThan(5);
  expect(await countOf('large')).toBe(events);
  // Takes long on a busy machine; the comparisons above are relative.
}, 120_000);

describe('bodies that do not come to an end', () => {
  test('an aborted one stores no events', async () => {
    const { socket, closed } = begin('aborted', 1_000_000, '{"a":1}\n'.repeat(1000));
    await sleep(50);
    socket.destroy();
    await closed;
    expect(await countOf('aborted')).toBe(0);
  });

  test('one that is too slow is given up with an answer, and stores nothing', async () => {
    const { socket, closed } = begin('slow', 1_000_000, '{"a":1}\n'.repeat(1000));
    const dripping = setInterval(() => socket.write('{"a":1}\n'), 100);
    const answer = await closed;
    clearInterval(dripping);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":408');
    expect(await countOf('slow')).toBe(0);
  });
});

test('a body that expands without end is refused while it expands', async () => {
  const memory = process.memoryUsage().rss;
  const bomb = gzipSync(new Uint8Array(400 << 20).fill(0x20), { level: 1 });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => send('bombs', bomb, { 'content-encoding': 'gzip' })),
  );
  expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
  expect(await countOf('bombs')).toBe(0);
  // One at a time, and none beyond the limit: the bombs themselves would take four times as much
  // again.
  expect(process.memoryUsage().rss - memory).toBeLessThan(1200 << 20);
});

test('a key for a large body is remembered as for a small one', async () => {
  const body = (n: number) => new TextEncoder().encode(`{"n":${n}}\n`.repeat(60_000));
  const key = { 'idempotency-key': 'large' };
  const first = await send('small', body(1), key);
  const again = await send('small', body(1), key);
  const other = await send('small', body(2), key);
  expect([first.status, again.status, other.status]).toEqual([200, 200, 409]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.json()).toEqual(await first.json());
});
