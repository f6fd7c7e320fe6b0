import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Metrics } from '@millrace/http/metrics';
import { defaultSettings } from '@millrace/http/settings/settings';
import { openOtlpGrpc } from './otlp-grpc.js';

const other = createServer();
let port: number;
beforeAll(async () => {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = (other.address() as AddressInfo).port;
});
afterAll(() => void other.close());

async function open(otlpGrpc: string | undefined, usual?: string) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const base = { settings: defaultSettings({ otlpGrpc }), metrics: new Metrics(), logger };
  const listener = await openOtlpGrpc(base, fastify(), undefined, usual);
  await listener?.close(0);
  return { listener, lines };
}

test('the default port is in use: off, with one line in the log', async () => {
  const { listener, lines } = await open(undefined, `127.0.0.1:${port}`);
  expect(listener).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining('set MILLRACE_OTLP_GRPC to use another port')]);
});

test('the port of the setting is in use: an error', async () => {
  await expect(open(String(port))).rejects.toThrow(
    `MILLRACE_OTLP_GRPC: cannot listen on ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  );
});

test('a port alone is on loopback; other addresses without TLS are warned about', async () => {
  expect(await open('0')).toMatchObject({ listener: { address: { address: '127.0.0.1' } }, lines: [] });
  const { lines } = await open('0.0.0.0:0');
  expect(lines).toEqual([expect.stringContaining('reachable from other hosts without TLS')]);
});

test('off', async () => {
  expect(await open('off')).toEqual({ listener: undefined, lines: [] });
});
