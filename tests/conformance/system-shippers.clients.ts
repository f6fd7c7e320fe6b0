import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { apl, createDataset } from '../support/apl.ts';
import { freePort } from '../support/free-port.ts';
import { removeDirectory, startServer, temporaryDirectory } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';
import { isPresent, milliseconds, removeScratch, run, createScratchDirectory, valuesOf } from './shippers/libraries.ts';

/**
 * Programs of an operating system, which must be installed on this machine: rsyslog, optionally
 * with its output for Elasticsearch, and systemd-journal-upload. Debian's packages are `rsyslog`,
 * `rsyslog-elasticsearch` and `systemd-journal-remote`; JOURNAL_UPLOAD and RSYSLOG_MODULES override
 * the usual paths.
 */

afterAll(removeScratch);

const hasRsyslog = await isPresent('rsyslogd', '-v');
const modules = process.env['RSYSLOG_MODULES'] ?? '/usr/lib/x86_64-linux-gnu/rsyslog';

/** Runs rsyslog with two lines of a file until `stored` holds. */
async function rsyslog(configuration: readonly string[], stored: () => Promise<void>): Promise<void> {
  const directory = createScratchDirectory();
  const input = join(directory, 'input.log');
  const file = join(directory, 'rsyslog.conf');
  writeFileSync(input, '');
  const read = [
    'module(load="imfile")',
    `global(workDirectory="${directory}")`,
    `input(type="imfile" File="${input}" Tag="test")`,
  ];
  writeFileSync(file, [...read, ...configuration].join('\n'));
  const child = spawn('rsyslogd', ['-n', '-f', file, '-i', join(directory, 'pid')], { stdio: 'ignore' });
  try {
    appendFileSync(input, 'first\nsecond\n');
    await stored();
  } finally {
    child.kill('SIGKILL');
  }
}

describe.skipIf(!hasRsyslog)('rsyslog', () => {
  it.each(['octet-counted', 'traditional'])(
    'over TCP, %s',
    async (framing) => {
      const directory = temporaryDirectory();
      const port = await freePort();
      const server = await startServer(directory, {
        MILLRACE_LOG_LEVEL: 'silent',
        MILLRACE_SYSLOG_LISTENERS: `tcp://127.0.0.1:${port}/rsyslog?allow=127.0.0.1`,
      });
      await createDataset(server, 'rsyslog');
      const action = `action(type="omfwd" target="127.0.0.1" port="${port}" protocol="tcp" template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="${framing}")`;
      try {
        await rsyslog([action], async () => {
          const messages = () => valuesOf(server, 'rsyslog', 'message');
          await expect.poll(messages, { timeout: 60_000 }).toEqual(['first', 'second']);
          const { tables } = await apl(server, 'rsyslog | distinct application, severity, facility');
          expect(tables[0]!.columns).toEqual([['test'], ['notice'], ['local0']]);
        });
      } finally {
        await server.stop();
        removeDirectory(directory);
      }
    },
    milliseconds,
  );
});

const elasticOutput = join(modules, 'omelasticsearch.so');
const hasElasticOutput = hasRsyslog && existsSync(elasticOutput);
if (!hasElasticOutput)
  process.stdout.write(`not run: ${elasticOutput} is not on this machine
`);

describe.skipIf(!hasElasticOutput)("rsyslog's output for Elasticsearch", () => {
  const one = oneServer({});
  it(
    'sends bulk requests',
    async () => {
      const dataset = await one.dataset();
      const { hostname, port } = new URL(one.server.url);
      const output = [
        `module(load="${elasticOutput}")`,
        'template(name="json" type="list" option.jsonf="on") { property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf") property(outname="message" name="msg" format="jsonf") }',
        // Its requests go to SERVER/_bulk, and each action names its index.
        `action(type="omelasticsearch" server="http://${hostname}:${port}/elastic" uid="axiom" pwd="${one.server.token}" template="json" bulkmode="on" searchIndex="${dataset}" searchType="")`,
      ];
      await rsyslog(output, async () => {
        await expect
          .poll(() => valuesOf(one.server, dataset, 'message'), { timeout: 60_000 })
          .toEqual(['first', 'second']);
      });
    },
    milliseconds,
  );
});

const upload = process.env['JOURNAL_UPLOAD'] ?? '/lib/systemd/systemd-journal-upload';
const hasUpload = await isPresent(upload, '--version');

describe.skipIf(!hasUpload)('systemd-journal-upload', () => {
  const one = oneServer({});
  const entry = (number: number): string =>
    `__REALTIME_TIMESTAMP=${1_790_000_000_000_000 + number}\nPRIORITY=3\nMESSAGE=message ${String(number).padStart(5, '0')} ${'x'.repeat(500)}\n\n`;
  const send = (token: string, dataset: string, entries: number) => {
    const file = join(createScratchDirectory(), 'journal.export');
    writeFileSync(file, Array.from({ length: entries }, (_, i) => entry(i)).join(''));
    const url = `${one.server.url.replace('://', `://axiom:${token}@`)}/v1/ingest/${dataset}/journald`;
    return run(upload, ['-u', url, file], { timeout: 60_000 });
  };

  it(
    'uploads a file of several megabytes',
    async () => {
      const dataset = await one.dataset();
      await send(one.server.token, dataset, 5000);
      const { tables } = await apl(
        one.server,
        `['${dataset}'] | extend n = toint(substring(message, 8, 5)) | summarize count(), min(n), max(n), sum(n), dcount(severity)`,
      );
      expect(tables[0]!.columns).toEqual([[5000], [0], [4999], [(4999 * 5000) / 2], [1]]);
    },
    milliseconds,
  );

  it(
    'reports an invalid token and an unknown dataset',
    async () => {
      await expect(send('xaat-wrong', 'conformance-1', 1)).rejects.toThrow(/Command failed/);
      await expect(send(one.server.token, 'absent', 1)).rejects.toThrow(/Command failed/);
    },
    milliseconds,
  );
});
