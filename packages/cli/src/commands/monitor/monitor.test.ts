import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { memoryIo } from '../../testing/memory-io.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';
import { commands } from '../every-command.js';

const runs = new ScriptedRuns();

const record = { createdAt: '2026-11-20T10:00:00Z', createdBy: 'usr_1', updatedAt: '2026-11-20T10:00:00Z' };
const written = { name: 'Failed', type: 'Threshold', aplQuery: 'logs | count', operator: 'Above', threshold: 1 };
const stored = {
  id: 'mon_1',
  ...written,
  inhibitedBy: ['mon_1'],
  notifierIds: ['notify_1', 'notify_gone'],
  sloId: 'slo_1',
  ...record,
};
const notifier = { id: 'notify_1', name: 'ops', properties: { webhook: { url: 'https://example.com' } }, ...record };

async function answered(words: readonly string[], input?: string) {
  const env = await runs.serve(({ method, url }) => ({
    body:
      url.pathname === '/v2/notifiers'
        ? method === 'GET'
          ? [notifier]
          : notifier
        : url.pathname.endsWith('/acknowledge')
          ? { groups: [[]] }
          : url.pathname.endsWith('/test')
            ? { outcome: 'failed', problem: '410: gone', milliseconds: 3 }
            : url.pathname.endsWith('_preview')
              ? {
                  runs: [{}, {}],
                  changes: [],
                  complete: true,
                  notifications: [{ time: 'T', action: 'Open', body: 'high' }],
                }
              : method === 'GET'
                ? [stored, { ...stored, id: 'mon_2', name: 'Twice' }, { ...stored, id: 'mon_3', name: 'Twice' }]
                : stored,
  }));
  const io = memoryIo({ env, ...(input !== undefined && { input: [input] }) });
  return { exit: await run(words, commands, io), ...io.written };
}
const sent = () =>
  runs.received
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url, body }) => [method, url.pathname, JSON.parse(String(body)) as unknown]);

it('apply accepts the output of get: notifiers are named', async () => {
  const { out } = await answered(['monitor', 'get', 'Failed']);
  expect(JSON.parse(out)).toEqual({ ...written, inhibitedBy: ['Failed'], notifiers: ['ops', 'notify_gone'] });
  const { err } = await answered(
    ['monitor', 'apply', '-'],
    JSON.stringify({ ...written, inhibitedBy: ['Failed'], notifiers: ['ops'] }),
  );
  expect(err).toBe("Monitor 'Failed' is replaced: mon_1.\n");
  expect(sent()).toEqual([
    ['PUT', '/v2/monitors/mon_1', { ...written, inhibitedBy: ['mon_1'], notifierIds: ['notify_1'] }],
  ]);
});

it('acknowledges open incidents', async () =>
  expect((await answered(['monitor', 'acknowledge', 'Failed'])).err).toBe(
    "1 open groups of monitor 'Failed' are acknowledged.\n",
  ));

it.each([
  ['treshold', "a monitor has no 'treshold'; did you mean 'threshold'?"],
  ['color', "a monitor has no 'color'"],
])('apply rejects the unknown key %s and writes nothing', async (key, problem) => {
  const { exit, err } = await answered(['monitor', 'apply', '-'], JSON.stringify({ ...written, [key]: 5 }));
  expect(exit).not.toBe(0);
  expect(err.trim().split('\n')[0]).toMatch(new RegExp(`${problem.replaceAll('?', '\\?')}$`));
  expect(sent()).toEqual([]);
});

it('creates a monitor with a new name', async () => {
  await answered(['monitor', 'apply', '-'], JSON.stringify({ ...written, name: 'New' }));
  expect(sent()).toEqual([['POST', '/v2/monitors', { ...written, name: 'New' }]]);
});

it.each([
  [['monitor', 'get', 'Nobody'], "monitor 'Nobody' not found"],
  [['monitor', 'get', 'Twice'], "2 monitors are called 'Twice'"],
  [['notifier', 'test', 'ops'], "notifier 'ops' did not deliver: 410: gone"],
])('%j fails: %s', async (words, problem) => {
  const { exit, err } = await answered(words);
  expect(exit).not.toBe(0);
  expect(err).toContain(problem);
});

it('a test shows the notification', async () => {
  const { out, err } = await answered(['monitor', 'test', '-'], JSON.stringify(written));
  expect([err, JSON.parse(out)]).toEqual(['2 runs, 1 notifications\n', { time: 'T', action: 'Open', body: 'high' }]);
});
