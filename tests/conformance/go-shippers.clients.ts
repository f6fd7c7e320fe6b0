import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cell, createDataset } from '../support/apl.ts';
import { freePort } from '../support/free-port.ts';
import { oneServer } from './one-server.ts';
import { isPresent, milliseconds, removeScratch, run, createScratchDirectory } from './shippers/libraries.ts';

/**
 * The log drivers of Docker, and libraries for Go, from their modules and unchanged, in one program
 * (`shippers/go`).
 */

/** Everything is compiled from source. */
const compileMilliseconds = 900_000;
const count = 2000;
/** For a sender that waits for an acknowledgment of each event. */
const fewer = 100;

const ports = { syslog: await freePort(), fluentd: await freePort() };
const one = oneServer({
  MILLRACE_SYSLOG_LISTENERS: `tcp://127.0.0.1:${ports.syslog}/syslog`,
  MILLRACE_FLUENTD_LISTENERS: `tcp://127.0.0.1:${ports.fluentd}/fluentd`,
});
afterAll(removeScratch);

const hasGo = await isPresent('go', 'version');

describe.skipIf(!hasGo)('senders in Go', () => {
  let program = '';
  beforeAll(async () => {
    program = join(createScratchDirectory(), 'shippers');
    const source = join(import.meta.dirname, 'shippers', 'go');
    await run('go', ['build', '-o', program, '.'], { cwd: source, timeout: compileMilliseconds });
  }, compileMilliseconds);

  /** Sends lines; rejects if the sender does not say that all are delivered. */
  const send = (name: string, address: string, token: string, dataset: string, lines = count): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = execFile(program, [name, address, token, dataset], { timeout: 60_000 }, (error) =>
        error === null ? resolve() : reject(error),
      );
      child.stdin!.end(Array.from({ length: lines }, (_, i) => `message ${i}\n`).join(''));
    });
  const countStored = (dataset: string, field: string): Promise<unknown> =>
    cell(one.server, `['${dataset}'] | where ${field} has 'message' | distinct ${field} | count`);

  it.each([
    ['docker-splunk', '_raw'],
    ['go-elasticsearch', 'message'],
    ['libhoney-go', 'message'],
  ])(
    '%s',
    async (name, field) => {
      const dataset = await one.dataset();
      await send(name, one.server.url, one.server.token, dataset);
      expect(await countStored(dataset, field)).toBe(count);
    },
    milliseconds,
  );

  it.each([
    ['docker-syslog', 'syslog', `tcp://127.0.0.1:${ports.syslog}`, 'message', count],
    ['docker-fluentd', 'fluentd', `127.0.0.1:${ports.fluentd}`, 'log', fewer],
  ])(
    '%s',
    async (name, dataset, address, field, lines) => {
      await createDataset(one.server, dataset);
      await send(name, address, '', dataset, lines);
      await expect.poll(() => countStored(dataset, field), { timeout: milliseconds }).toBe(lines);
    },
    milliseconds,
  );

  it.each(['go-elasticsearch', 'libhoney-go'])(
    '%s reports an invalid token and an unknown dataset',
    async (name) => {
      const dataset = await one.dataset();
      await expect(send(name, one.server.url, 'xaat-wrong', dataset)).rejects.toThrow(/Command failed/);
      await expect(send(name, one.server.url, one.server.token, 'absent')).rejects.toThrow(/Command failed/);
    },
    milliseconds,
  );
});
