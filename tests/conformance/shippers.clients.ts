import { execFile, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apl, createDataset } from '../support/apl.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/** Shippers of other products, from their registries and unchanged. This needs a network, so it is not part of `npm test`. */

const run = promisify(execFile);
const milliseconds = 240_000;

const libraries = ['@elastic/elasticsearch@8', 'winston', 'winston-loki', 'splunk-logging', 'libhoney'];
const senders: readonly (readonly [name: string, field: string])[] = [
  ['@elastic/elasticsearch', 'message'],
  ['winston-loki', 'message'],
  ['splunk-logging', "['message.message']"],
  ['libhoney', 'message'],
];

const scratch = mkdtempSync(join(tmpdir(), 'millrace-shippers-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const messagesIn = async (server: ServerProcess, dataset: string, field: string): Promise<readonly unknown[]> =>
  (await apl(server, `['${dataset}'] | extend m = ${field} | order by m asc | project m`)).tables[0]!.columns[0] ?? [];

describe('libraries for Node', () => {
  const one = oneServer();

  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'shippers', 'send.mjs'), join(scratch, 'send.mjs'));
    writeFileSync(join(scratch, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...libraries], {
      cwd: scratch,
      timeout: milliseconds,
    });
  }, milliseconds);

  it.each(senders)(
    '%s',
    async (name, field) => {
      const dataset = await one.dataset();
      await run(process.execPath, ['send.mjs', name, one.server.url, one.server.token, dataset], {
        cwd: scratch,
        timeout: 60_000,
      });
      const messages = await messagesIn(one.server, dataset, field);
      expect(messages).toEqual([expect.stringMatching(/^first/), expect.stringMatching(/^second/)]);
    },
    milliseconds,
  );
});

const hasRsyslog = await run('rsyslogd', ['-v'], { timeout: 10_000 }).then(
  () => true,
  () => {
    process.stdout.write('not run: rsyslogd is not on this machine\n');
    return false;
  },
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(!hasRsyslog)('rsyslog', () => {
  it.each(['octet-counted', 'traditional'])(
    'over TCP, %s',
    async (framing) => {
      const directory = temporaryDirectory();
      const port = await freePort();
      const server = await startServer(directory, {
        MILLRACE_LOG_LEVEL: 'silent',
        MILLRACE_SYSLOG_LISTENERS: `tcp://127.0.0.1:${port}/rsyslog`,
      });
      await createDataset(server, 'rsyslog');
      const input = join(directory, 'input.log');
      const configuration = join(directory, 'rsyslog.conf');
      writeFileSync(input, '');
      writeFileSync(
        configuration,
        [
          'module(load="imfile")',
          `global(workDirectory="${directory}")`,
          `input(type="imfile" File="${input}" Tag="test")`,
          `action(type="omfwd" target="127.0.0.1" port="${port}" protocol="tcp" template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="${framing}")`,
        ].join('\n'),
      );
      const rsyslog = spawn('rsyslogd', ['-n', '-f', configuration, '-i', join(directory, 'pid')], { stdio: 'ignore' });
      try {
        appendFileSync(input, 'first\nsecond\n');
        await expect
          .poll(() => messagesIn(server, 'rsyslog', 'message'), { timeout: 60_000 })
          .toEqual(['first', 'second']);
        const { tables } = await apl(server, 'rsyslog | distinct application, severity, facility');
        expect(tables[0]!.columns).toEqual([['test'], ['notice'], ['local0']]);
      } finally {
        rsyslog.kill('SIGKILL');
        await server.stop();
        removeDirectory(directory);
      }
    },
    milliseconds,
  );
});
