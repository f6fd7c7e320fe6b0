import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { memoryIo } from '../../testing/memory-io.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';
import { commands } from '../every-command.js';

const runs = new ScriptedRuns();

const record = { createdAt: '2026-11-20T10:00:00Z', createdBy: 'usr_1', updatedAt: '2026-11-20T10:00:00Z' };
const monitorDraft = { name: 'Failed', type: 'Threshold', aplQuery: 'logs | count', operator: 'Above', threshold: 1 };
const storedMonitor = {
  id: 'mon_1',
  ...monitorDraft,
  inhibitedBy: ['mon_1'],
  notifierIds: ['notify_1', 'notify_gone'],
  sloId: 'slo_1',
  ...record,
};
const notifier = { id: 'notify_1', name: 'ops', properties: { webhook: { url: 'https://example.com' } }, ...record };

async function runCommand(words: readonly string[], input?: string) {
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
                ? [
                    storedMonitor,
                    { ...storedMonitor, id: 'mon_2', name: 'Twice' },
                    { ...storedMonitor, id: 'mon_3', name: 'Twice' },
                  ]
                : storedMonitor,
  }));
  const io = memoryIo({ env, ...(input !== undefined && { input: [input] }) });
  return { exit: await run(words, commands, io), ...io.written };
}
const sentRequests = () =>
  runs.received
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url, body }) => [method, url.pathname, JSON.parse(String(body)) as unknown]);

it('apply accepts the output of get: notifiers are named', async () => {
  const { out } = await runCommand(['monitor', 'get', 'Failed']);
  expect(JSON.parse(out)).toEqual({ ...monitorDraft, inhibitedBy: ['Failed'], notifiers: ['ops', 'notify_gone'] });
  const { err } = await runCommand(
    ['monitor', 'apply', '-'],
    JSON.stringify({ ...monitorDraft, inhibitedBy: ['Failed'], notifiers: ['ops'] }),
  );
  expect(err).toBe("Monitor 'Failed' is replaced: mon_1.\n");
  expect(sentRequests()).toEqual([
    ['PUT', '/v2/monitors/mon_1', { ...monitorDraft, inhibitedBy: ['mon_1'], notifierIds: ['notify_1'] }],
  ]);
});

it('acknowledges open incidents', async () =>
  expect((await runCommand(['monitor', 'acknowledge', 'Failed'])).err).toBe(
    "1 open groups of monitor 'Failed' are acknowledged.\n",
  ));

it.each([
  ['treshold', "a monitor has no 'treshold'; did you mean 'threshold'?"],
  ['color', "a monitor has no 'color'"],
])('apply rejects the unknown key %s and writes nothing', async (key, problem) => {
  const { exit, err } = await runCommand(['monitor', 'apply', '-'], JSON.stringify({ ...monitorDraft, [key]: 5 }));
  expect(exit).not.toBe(0);
  expect(err.trim().split('\n')[0]).toMatch(new RegExp(`${problem.replaceAll('?', '\\?')}$`));
  expect(sentRequests()).toEqual([]);
});

it('creates a monitor with a new name', async () => {
  await runCommand(['monitor', 'apply', '-'], JSON.stringify({ ...monitorDraft, name: 'New' }));
  expect(sentRequests()).toEqual([['POST', '/v2/monitors', { ...monitorDraft, name: 'New' }]]);
});

it.each([
  [['monitor', 'get', 'Nobody'], "monitor 'Nobody' not found"],
  [['monitor', 'get', 'Twice'], "2 monitors are called 'Twice'"],
  [['notifier', 'test', 'ops'], "notifier 'ops' did not deliver: 410: gone"],
])('%j fails: %s', async (words, problem) => {
  const { exit, err } = await runCommand(words);
  expect(exit).not.toBe(0);
  expect(err).toContain(problem);
});

it('a test shows the notification', async () => {
  const { out, err } = await runCommand(['monitor', 'test', '-'], JSON.stringify(monitorDraft));
  expect([err, JSON.parse(out)]).toEqual(['2 runs, 1 notifications\n', { time: 'T', action: 'Open', body: 'high' }]);
});
