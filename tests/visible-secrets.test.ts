import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { removeDirectory, request, startServer, temporaryDirectory } from './support/server-process.ts';

/** Data of a running server that other users and programs on the machine can see. */

const command = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'millrace.js');
const token = 'xapt-00000000-0000-4000-8000-000000000002';

it('the owner’s token is neither in the list of processes nor in the environment of the engine', async () => {
  const directory = temporaryDirectory();
  const child = spawn(
    process.execPath,
    [command, 'serve', '--port', '0', '--data-dir', directory, '--admin-token', token, '--log-level', 'silent'],
    { env: { ...process.env, MILLRACE_ADMIN_TOKEN: token }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  try {
    await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    const pid = child.pid!;
    const engine = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toContain('millrace serve');
    for (const file of [`/proc/${pid}/cmdline`, `/proc/${engine}/cmdline`, `/proc/${engine}/environ`])
      expect(readFileSync(file, 'latin1')).not.toContain(token);
  } finally {
    child.kill('SIGKILL');
    await ended;
    removeDirectory(directory);
  }
}, 60_000);

/** A token that is never valid, and the secret part that no output may repeat. */
const foreign = 'xaat-0badc0de-1111-4111-8111-00c0ffee0001';
const secret = /0badc0de|00c0ffee0001|00000000-0000-4000-8000-000000000001/i;

/** Requests with a token in each place where clients put one, valid or not. */
const carriers: readonly (readonly [string, string, Record<string, string>?, string?])[] = [
  ...['GET', 'DELETE', 'PUT', 'POST'].flatMap((method) =>
    [
      `/v1/in/${foreign}`,
      `/v1/in/${foreign}/logs`,
      `/v1/in/${foreign}/logs/more/of/it`,
      `/V1/In/${foreign}/logs`,
      `/v1/in/${foreign.toUpperCase()}/logs`,
      `/v1//in/${foreign}/logs`,
      `/v1/in/${foreign.replaceAll('-', '%2D')}/logs`,
      `/v1/input/${foreign}`,
      `/api/v1/input/${foreign}`,
      `/nowhere/${foreign}`,
      `/v2/tokens/${foreign}`,
      `/v1/datasets/${foreign}/ingest`,
      `/v2/datasets?name=${foreign}&token=${foreign}`,
    ].map((path) => [method, path] as const),
  ),
  ['GET', '/v2/datasets', { authorization: `Bearer ${foreign}` }],
  ['GET', '/v2/datasets', { authorization: `Basic ${Buffer.from(`x:${foreign}`).toString('base64')}` }],
  ['GET', '/v2/datasets', { cookie: `millrace-session=${foreign}` }],
  ['POST', '/api/v2/logs', { 'dd-api-key': foreign }],
  ['POST', `/api/v2/logs?dd-api-key=${foreign}`],
  ['POST', '/services/collector/event', { authorization: `Splunk ${foreign}` }],
  ['POST', `/services/collector/event?token=${foreign}`],
  ['POST', '/_bulk', { authorization: `ApiKey ${Buffer.from(`x:${foreign}`).toString('base64')}` }],
  ['POST', '/loki/api/v1/push', { authorization: `Basic ${Buffer.from(`x:${foreign}`).toString('base64')}` }],
  ['POST', '/1/batch/logs', { 'x-honeycomb-team': foreign }],
  ['POST', '/firehose', { 'x-amz-firehose-access-key': foreign }],
  ['POST', '/v1/traces', { authorization: `Bearer ${foreign}`, 'x-axiom-dataset': foreign }],
  ['POST', '/mcp', { authorization: `Bearer ${foreign}` }, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  ['POST', '/mcp', {}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: foreign, params: { token: foreign } })],
  ['POST', '/console/api/session', { authorization: `Bearer ${foreign}`, 'x-millrace-console': '1' }],
  ['POST', '/v1/datasets/_apl', { traceparent: foreign, tracestate: foreign, 'x-axiom-trace-id': foreign }],
  ['POST', '/v1/datasets/_apl', {}, JSON.stringify({ apl: 'nothing', token: foreign })],
  ['POST', '/v1/datasets/_apl', { authorization: `Bearer ${foreign}` }, '{"apl":"x"}'],
  ['POST', '/v1/datasets/logs/ingest', { 'x-axiom-token': foreign }, '['],
];

it('no token is in the log, the audit, the refusals or an answer, wherever a client puts it', async () => {
  const directory = temporaryDirectory();
  const server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'trace' });
  try {
    const answers: string[] = [];
    for (const [method, path, headers = {}, body] of carriers) {
      const answer = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
        ...(method !== 'GET' && { body: body ?? '{}' }),
      });
      answers.push(`${method} ${answer.status} ${await answer.text()} ${JSON.stringify([...answer.headers])}`);
    }
    expect(answers.filter((text) => secret.test(text))).toEqual([]);
    const audit = await request(server, '/v1/datasets/_apl?format=tabular', {
      body: JSON.stringify({ apl: "['millrace-audit'] | take 1000" }),
    });
    expect(audit.status).toBe(200);
    expect(JSON.stringify(audit.body)).not.toMatch(secret);
    for (const path of ['/v2/ingest-refusals', '/metrics', '/v1/datasets/_history', '/v1/queries', '/healthz']) {
      const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.token}` } });
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toMatch(secret);
    }
    await server.stop();
    // Of tokens only hashes are stored.
    const stored = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(stored.length).toBeGreaterThan(3);
    expect(stored.filter((file) => secret.test(readFileSync(file, 'latin1')))).toEqual([]);
    const lines = server.output().split('\n');
    expect(lines.length).toBeGreaterThan(carriers.length);
    expect(lines.filter((line) => secret.test(line))).toEqual([]);
  } finally {
    await server.kill();
    removeDirectory(directory);
  }
}, 120_000);
