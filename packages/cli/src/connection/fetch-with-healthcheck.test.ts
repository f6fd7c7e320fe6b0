import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fetchWithHealthcheck, dispatcherOptions, ServerUnresponsiveError } from './fetch-with-healthcheck.js';

let server: Server;
afterEach(() => server.closeAllConnections());

/** A server that delays its responses until released, and whose health check responds or not. */
async function waitingServer(healthy: boolean) {
  let answer = (): void => undefined;
  let questions = 0;
  server = createServer((request, response) => {
    if (request.url !== '/healthz') answer = () => void response.end('at last');
    else if (++questions > 0 && healthy) response.writeHead(503).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, answer: () => answer(), questions: () => questions };
}

test('waits for a healthy server and reports the wait', async () => {
  const { url, answer, questions } = await waitingServer(true);
  const waited: number[] = [];
  const response = fetchWithHealthcheck(
    `${url}/v1/export`,
    {},
    { url, waiting: (time) => waited.push(time), askEvery: 250 },
  );
  await expect.poll(questions).toBeGreaterThan(2);
  answer();
  expect(await (await response).text()).toBe('at last');
  expect(waited.length).toBeGreaterThan(2);
  const before = questions();
  await new Promise((resolve) => setTimeout(resolve, 750));
  // One may have been in flight.
  expect(questions()).toBeLessThanOrEqual(before + 1);
});

test('fails when the server stops responding', async () => {
  const { url, questions } = await waitingServer(false);
  const response = fetchWithHealthcheck(`${url}/v1/export`, {}, { url, waiting: () => undefined, askEvery: 20 });
  await expect(response).rejects.toThrow(ServerUnresponsiveError);
  await expect(response).rejects.toThrow(/is not responding \(\d+ s, including GET \/healthz\)/);
  // On a busy machine a check may end before its request arrives.
  expect(questions()).toBeGreaterThan(0);
  expect(questions()).toBeLessThanOrEqual(6);
});

test('stops when its caller does', async () => {
  const { url } = await waitingServer(true);
  const leaving = new AbortController();
  const response = fetchWithHealthcheck(url, { signal: leaving.signal }, { url, waiting: () => undefined });
  leaving.abort(new Error('enough'));
  await expect(response).rejects.toThrow('enough');
});

test('the header timeout is among the options', async () => {
  const { url } = await waitingServer(true);
  await expect(fetch(url, dispatcherOptions({ headersTimeout: 10 }))).rejects.toMatchObject({
    cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
  });
});

test('an unknown version of undici keeps its timeouts', () => {
  expect(dispatcherOptions({ headersTimeout: 10 }, '99.0.0')).toEqual({});
});

test('version 8 of undici keeps the dispatcher of its fetch under another name', () => {
  const name = Symbol.for('undici.globalDispatcher.2');
  const before: unknown = Reflect.get(globalThis, name);
  const composed = {};
  Reflect.set(globalThis, name, { compose: () => composed });
  try {
    expect(dispatcherOptions({ headersTimeout: 10 }, '8.10.2').dispatcher).toBe(composed);
  } finally {
    Reflect.set(globalThis, name, before);
  }
});
