import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';

const runs = new ScriptedRuns();
const rejects = [{ time: '2026-11-20T10:00:00Z', position: 'orders 0 at 7', problem: 'not JSON' }];
const status = { state: 'failing', problem: 'no broker', events: 5, rejectedMessages: 1, lag: 12, rejects };
const source = { id: 'source_1', name: 'orders', kind: 'kafka', dataset: 'logs', status };

async function runCommand(...words: readonly string[]) {
  const env = await runs.serve(({ method, url }) => {
    if (method === 'DELETE') return { status: 204 };
    if (url.pathname.endsWith('/status')) return { body: status };
    return { body: method === 'GET' ? [source] : source };
  });
  const io = memoryIo({ env });
  return { exit: await run(['source', ...words], commands, io), ...io.written };
}
const sentRequests = () =>
  runs.received.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url.pathname}`);

it('lists sources with their state', async () => {
  const { out } = await runCommand('list');
  for (const text of ['source_1', 'kafka', 'failing', '12', 'no broker']) expect(out).toContain(text);
});

it('creates a source from a file', async () => {
  const file = join(runs.directory, 'orders.json');
  const body = { name: 'orders', dataset: 'logs', properties: { bucket: { bucket: 'b' } } };
  writeFileSync(file, JSON.stringify(body));
  const { err } = await runCommand('create', file);
  expect(err).toBe("Source 'orders' is created: source_1.\n");
  expect(JSON.parse(String(runs.received.at(-1)!.body))).toEqual(body);
});

it.each([
  [['pause', 'orders'], 'POST /v2/sources/source_1/pause', 'paused'],
  [['resume', 'source_1'], 'POST /v2/sources/source_1/resume', 'resumed'],
  [['delete', '--force', 'orders'], 'DELETE /v2/sources/source_1', 'deleted'],
])('%j', async (words, request, outcome) => {
  const { err } = await runCommand(...words);
  expect(err).toBe(`Source 'orders' is ${outcome}.\n`);
  expect(sentRequests()).toEqual([request]);
});

it('shows the status with rejected messages', async () => {
  const { out } = await runCommand('status', 'orders');
  for (const text of ['no broker', 'orders 0 at 7: not JSON', 'lag']) expect(out).toContain(text);
  expect(JSON.parse((await runCommand('status', 'orders', '--json')).out)).toEqual(status);
});

it('deletes only after confirmation, and names an unknown source', async () => {
  expect((await runCommand('delete', 'orders')).exit).not.toBe(0);
  expect(sentRequests()).toEqual([]);
  expect((await runCommand('pause', 'other')).err).toContain("source 'other' not found");
});
