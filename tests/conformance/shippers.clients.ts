import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataset } from '../support/apl.ts';
import { freePort } from '../support/free-port.ts';
import { oneServer } from './one-server.ts';
import {
  isPresent,
  libraries,
  milliseconds,
  removeScratch,
  run,
  createScratchDirectory,
  valuesOf,
} from './shippers/libraries.ts';

/**
 * Libraries that send to other products, from their registries and unchanged. This needs a network,
 * so it is not part of `npm test`.
 */

const key = 'known to both sides';
const ports = { closed: await freePort(), open: await freePort() };
const one = oneServer({
  MILLRACE_FLUENTD_LISTENERS: `tcp://127.0.0.1:${ports.closed}/fluentd`,
  MILLRACE_FLUENTD_SHARED_KEY: key,
});
const withoutKey = oneServer({ MILLRACE_FLUENTD_LISTENERS: `tcp://127.0.0.1:${ports.open}/fluentd` });
afterAll(removeScratch);

const bothMessages = [expect.stringContaining('first'), expect.stringContaining('second')];

describe('libraries for Node', () => {
  const senders: readonly (readonly [name: string, field: string])[] = [
    ['@elastic/elasticsearch', 'message'],
    ['winston-loki', 'message'],
    ['pino-loki', 'message'],
    ['splunk-logging', "['message.message']"],
    ['libhoney', 'message'],
  ];
  let directory = '';
  beforeAll(async () => {
    const names = [
      '@elastic/elasticsearch@8',
      'winston',
      'winston-loki',
      'pino',
      'pino-loki',
      'splunk-logging',
      'libhoney',
    ];
    directory = await libraries([...names, '@fluent-org/logger']);
  }, milliseconds);
  const send = (env: object, ...args: readonly string[]) =>
    run(process.execPath, ['send.mjs', ...args], { cwd: directory, timeout: 60_000, env: { ...process.env, ...env } });

  it.each(senders)(
    '%s',
    async (name, field) => {
      const dataset = await one.dataset();
      await send({}, name, one.server.url, one.server.token, dataset);
      expect(await valuesOf(one.server, dataset, field)).toEqual(bothMessages);
    },
    milliseconds,
  );

  it.each(['Message', 'Forward', 'PackedForward', 'CompressedPackedForward'])(
    '@fluent-org/logger with a shared key and acknowledgements, as %s',
    async (mode) => {
      await createDataset(one.server, 'fluentd');
      const before = await valuesOf(one.server, 'fluentd', 'message');
      await send({ FLUENT_MODE: mode }, '@fluent-org/logger', `tcp://127.0.0.1:${ports.closed}`, key, '');
      const after = await valuesOf(one.server, 'fluentd', 'message');
      expect(after).toHaveLength(before.length + 2);
    },
    milliseconds,
  );

  it(
    '@fluent-org/logger with another key delivers nothing',
    async () => {
      const sent = send({}, '@fluent-org/logger', `tcp://127.0.0.1:${ports.closed}`, 'another', '');
      await expect(sent).rejects.toThrow(/Command failed/);
    },
    milliseconds,
  );

  it.each(senders.filter(([name]) => name === '@elastic/elasticsearch' || name === 'libhoney'))(
    '%s reports an invalid token and an unknown dataset',
    async (name) => {
      await expect(send({}, name, one.server.url, 'xaat-wrong', 'conformance-1')).rejects.toThrow(/Command failed/);
      await expect(send({}, name, one.server.url, one.server.token, 'absent')).rejects.toThrow(/Command failed/);
    },
    milliseconds,
  );
});

const hasPython = await isPresent('python3', '-c', 'import sys, venv; assert sys.version_info >= (3, 10)');

describe.skipIf(!hasPython)('libraries for Python', () => {
  const programs = join(import.meta.dirname, 'shippers');
  let python = '';
  beforeAll(async () => {
    const environment = join(createScratchDirectory(), 'python');
    await run('python3', ['-m', 'venv', environment], { timeout: milliseconds });
    python = join(environment, 'bin', 'python');
    const wanted = join(programs, 'requirements.txt');
    await run(python, ['-m', 'pip', 'install', '--quiet', '-r', wanted], { timeout: milliseconds });
  }, 2 * milliseconds);
  const send = (...args: readonly string[]) =>
    run(python, ['-B', '-W', 'ignore', join(programs, 'send.py'), ...args], { timeout: 60_000 });

  it.each([
    ['elasticsearch', 'message'],
    ['loki', 'message'],
    ['splunk', '_raw'],
    ['honeycomb', 'message'],
  ])(
    '%s',
    async (name, field) => {
      const dataset = await one.dataset();
      await send(name, one.server.url, one.server.token, dataset);
      expect(await valuesOf(one.server, dataset, field)).toEqual(bothMessages);
    },
    milliseconds,
  );

  it(
    'fluentd, without a key and acknowledgements',
    async () => {
      await createDataset(withoutKey.server, 'fluentd');
      await send('fluentd', `tcp://127.0.0.1:${ports.open}`, 'none', '');
      await expect
        .poll(() => valuesOf(withoutKey.server, 'fluentd', 'message'), { timeout: 60_000 })
        .toEqual(bothMessages);
    },
    milliseconds,
  );
});
