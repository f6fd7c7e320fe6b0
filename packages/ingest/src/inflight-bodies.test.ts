import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * Bodies take memory while they arrive: many at once may take no more than events that wait for the
 * engine, and one more body.
 */

const mebibyte = 1 << 20;
const max = 16 * mebibyte;

let world: EngineTestServer;
beforeAll(async () => {
  // On a busy machine the bodies that wait here are quiet for long.
  const quietBodyTimeout = 600_000;
  world = await openEngineTestServer({ maxPendingBytes: max, maxBodyBytes: 64 * mebibyte, quietBodyTimeout });
  for (const name of ['logs', 'large']) await world.dataset(name);
});
afterAll(() => world.close());

/** A request that announces a long body, sends part of it, and then waits. */
function begin(path: string, headers: string, sends: number) {
  const { hostname, port } = new URL(world.url);
  const socket: Socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  socket.on('error', () => undefined);
  const sent = new Promise<void>((resolve) => {
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.owner}\r\n` +
        `${headers}Content-Length: ${40 * mebibyte}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(sends, '\n'), () => resolve());
  });
  return { socket, sent, answer: () => answer };
}

const ways: readonly (readonly [string, string, string])[] = [
  ['events', '/v1/datasets/logs/ingest', 'Content-Type: application/x-ndjson\r\n'],
  ['OpenTelemetry', '/v1/logs', 'Content-Type: application/json\r\nX-Axiom-Dataset: logs\r\n'],
];
test.each(ways)('%s: received bytes count, announced ones do not', async (_, path, headers) => {
  const small = async (token = world.owner) =>
    (await world.send('POST', '/v1/datasets/logs/ingest', [{ n: 1 }], { token })).status;
  const other = await world.token({ datasetCapabilities: { logs: { ingest: ['create'] } } });
  const announced = Array.from({ length: 5 }, () => begin(path, headers, 1));
  await Promise.all(announced.map(({ sent }) => sent));
  expect(await small()).toBe(200);
  const bodies = Array.from({ length: 5 }, () => begin(path, headers, 10 * mebibyte));
  // Only one of the ten-megabyte bodies fits into a token's limit, three quarters of the capacity;
  // the others are rejected with a hint to retry.
  const rejectedBodies = () => bodies.filter(({ answer }) => answer() !== '');
  await expect.poll(() => rejectedBodies().length).toBe(4);
  for (const { answer } of rejectedBodies()) {
    expect(answer()).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer()).toMatch(/^retry-after: 1\r$/im);
    expect(answer()).toContain('bytes pending');
  }
  // The body in progress continues because it is the largest. However much of it has arrived,
  // fifteen more megabytes exceed the token's limit, so a body is rejected. Another token is
  // accepted.
  bodies.push(...Array.from({ length: 3 }, () => begin(path, headers, 5 * mebibyte)));
  await expect.poll(() => rejectedBodies().length).toBeGreaterThan(4);
  for (const { answer } of rejectedBodies()) expect(answer()).toMatch(/^HTTP\/1\.1 429 /);
  expect(await small(other)).toBe(200);
  for (const { socket } of [...announced, ...bodies]) socket.destroy();
  await expect.poll(() => small()).toBe(200);
});

test('a body larger than the buffer is accepted when it is alone', async () => {
  const body = `${JSON.stringify({ text: 'x'.repeat(1000) })}\n`.repeat(20_000);
  expect(body.length).toBeGreaterThan(max);
  // Bodies of earlier tests may not have released all of their memory yet.
  const send = async () => (await world.send('POST', '/v1/datasets/large/ingest', body)).status;
  await expect.poll(send, { timeout: 10_000 }).toBe(200);
});
