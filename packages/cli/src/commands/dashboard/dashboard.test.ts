import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';

const runs = new ScriptedRuns();

/** Numbers that JavaScript would format differently. */
const document =
  '{"name":"Overview","owner":"X-AXIOM-EVERYONE","charts":[{"id":"a","type":"Gauge","odd":1.0,"big":1769205867543185447}]}';
const storedDashboard = `{"uid":"overview","version":3,"updatedAt":"2026-11-20T10:00:00Z","dashboard":${document}}`;

async function runCommand(words: readonly string[], input?: string) {
  const env = await runs.serve(({ method }) => ({
    body: method === 'PUT' ? `{"status":"updated","dashboard":${storedDashboard}}` : storedDashboard,
  }));
  const io = memoryIo({ env, ...(input !== undefined && { input: [input] }) });
  return { exit: await run(['dashboard', ...words], commands, io), ...io.written };
}

it('apply accepts the output of get', async () => {
  const { out } = await runCommand(['get', 'overview']);
  expect(JSON.parse(out)).toEqual({ uid: 'overview', ...JSON.parse(document) });
  expect(out).toContain('"odd": 1.0,\n      "big": 1769205867543185447\n');
  const file = join(runs.directory, 'overview.json');
  writeFileSync(file, out);
  const { err } = await runCommand(['apply', file, '-m', 'as in git']);
  expect(err).toBe("Dashboard 'overview' is updated: version 3.\n");
  const [sent] = runs.received;
  expect([sent?.method, sent?.url.pathname]).toEqual(['PUT', '/v2/dashboards/uid/overview']);
  expect(String(sent?.body)).toBe(`{"dashboard":${out},"overwrite":true,"message":"as in git"}`);
});

it('apply unwraps an API response', async () => {
  const { exit } = await runCommand(['apply', '-'], storedDashboard);
  expect([exit, String(runs.received[0]?.body)]).toEqual([0, `{"dashboard":${document},"overwrite":true}`]);
});

it('leaves a very deep document to the server', async () => {
  const deep = `{"uid":"overview","charts":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect((await runCommand(['apply', '-'], deep)).exit).toBe(0);
  expect(String(runs.received[0]?.body)).toContain(deep);
});

it.each([
  ['{"name":"x"}', '- has no uid'],
  ['[]', 'must hold one JSON object'],
  ['{', 'is not JSON'],
])('%s is rejected before anything is sent', async (text, problem) => {
  const { exit, err } = await runCommand(['apply', '-'], text);
  expect([exit, runs.received.length]).toEqual([2, 0]);
  expect(err).toContain(problem);
});
