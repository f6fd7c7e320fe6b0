import { expect, it } from 'vitest';
import { run } from '../run.js';
import { ScriptedRuns } from '../testing/fake-runs.js';
import type { Reply } from '../testing/fake-server.js';
import { memoryIo } from '../testing/memory-io.js';
import { commands } from './every-command.js';

const runs = new ScriptedRuns();
const answers: Readonly<Record<string, Reply>> = {
  '/v2/monitors': { body: [{ id: 'mon_1', name: 'Failed' }] },
  '/v2/silences': { body: { id: 'silence_1', reason: 'upgrade' } },
};

async function runCommand(words: readonly string[], answer: Reply = { body: {} }) {
  const env = await runs.serve(({ url }) => answers[url.pathname] ?? answer);
  const io = memoryIo({ env });
  return { code: await run([...words], commands, io), ...io.written };
}

it.each<readonly [readonly string[], object, Reply]>([
  [['version'], { version: expect.stringMatching(/^\d+\.\d+\.\d+/), node: process.versions.node }, { body: {} }],
  [['console'], { url: expect.stringMatching(/^http.*#code=x$/) }, { body: { path: '/console/#code=x' } }],
  [['silence', 'create', 'upgrade', '--label', 'a=b'], { id: 'silence_1', reason: 'upgrade' }, { body: {} }],
  [
    ['monitor', 'acknowledge', 'Failed'],
    { id: 'mon_1', name: 'Failed', groups: [{ group: 'g' }] },
    { body: { groups: [{ group: 'g' }] } },
  ],
])('%j writes JSON', async (words, expected, answer) => {
  const { code, out, err } = await runCommand([...words, '--json'], answer);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual(expected);
});

it('doctor writes its findings as JSON, with the settings of its flags', async () => {
  const { out } = await runCommand(['doctor', '--json', '--data-dir', runs.directory, '--port', '0']);
  expect(JSON.parse(out)).toContainEqual({ title: 'data directory', state: 'ok', text: runs.directory });
});

it('query rejects two formats', async () => {
  const { code, err } = await runCommand(['query', 'logs', '--json', '--format', 'csv']);
  expect([code, err]).toEqual([2, expect.stringContaining('--json and --format csv exclude each other')]);
});
