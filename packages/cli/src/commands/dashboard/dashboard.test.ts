import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';
import { ScriptedRuns } from '../../testing/scripted-runs.js';

const runs = new ScriptedRuns();

const document = { name: 'Overview', owner: 'X-AXIOM-EVERYONE', charts: [{ id: 'a', type: 'Gauge', odd: 1 }] };
const stored = { uid: 'overview', version: 3, updatedAt: '2026-11-20T10:00:00Z', dashboard: document };

async function answered(words: readonly string[], input?: string) {
  const env = await runs.serve(({ method }) => ({
    body: method === 'PUT' ? { status: 'updated', dashboard: stored } : stored,
  }));
  const io = memoryIo({ env, ...(input !== undefined && { input: [input] }) });
  return { exit: await run(['dashboard', ...words], commands, io), ...io.written };
}

it('what get prints, apply sends', async () => {
  const { out } = await answered(['get', 'overview']);
  expect(JSON.parse(out)).toEqual({ uid: 'overview', ...document });
  const file = join(runs.directory, 'overview.json');
  writeFileSync(file, out);
  const { err } = await answered(['apply', file, '-m', 'as in git']);
  expect(err).toBe("Dashboard 'overview' is updated: version 3.\n");
  const [sent] = runs.received;
  expect([sent?.method, sent?.url.pathname]).toEqual(['PUT', '/v2/dashboards/uid/overview']);
  expect(JSON.parse(String(sent?.body))).toEqual({ dashboard: document, overwrite: true, message: 'as in git' });
});

it.each([
  ['{"name":"x"}', '- has no uid'],
  ['[]', 'must hold one JSON object'],
  ['{', 'is not JSON'],
])('%s is refused before anything is sent', async (text, problem) => {
  const { exit, err } = await answered(['apply', '-'], text);
  expect([exit, runs.received.length]).toEqual([2, 0]);
  expect(err).toContain(problem);
});
