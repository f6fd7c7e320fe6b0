import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';

const runs = new ScriptedRuns();
const routes = [{ name: 'pages', labels: { team: 'a' }, monitorIds: ['mon_1'], notifierIds: ['notify_1'], escalation: { afterMinutes: 5, notifierIds: ['notify_2'] } }]; // prettier-ignore
const routeMatch = { notifierIds: ['notify_1', 'notify_2'], own: ['notify_2'], routes: [{ index: 0, name: 'pages', notifierIds: ['notify_1'], escalation: { afterMinutes: 5, notifierIds: ['notify_2'] } }] }; // prettier-ignore
const answers: Readonly<Record<string, unknown>> = {
  '/v2/monitors': [{ id: 'mon_1', name: 'Failed' }],
  '/v2/notifiers': [
    { id: 'notify_1', name: 'pager' },
    { id: 'notify_2', name: 'chat' },
  ],
  '/v2/notification-routes': { routes, version: 1 },
  '/v2/notification-routes/test': routeMatch,
};

async function runCommand(words: readonly string[], input = '') {
  const env = await runs.serve(({ url }) => ({ body: answers[url.pathname] }));
  const io = memoryIo({ env, input: [input] });
  return { exit: await run(['route', ...words], commands, io), ...io.written };
}
const sentBodies = (): object[] =>
  runs.received.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(String(body)) as object);

const file = { routes: [{ name: 'pages', labels: { team: 'a' }, monitors: ['Failed'], notifiers: ['pager'], escalation: { afterMinutes: 5, notifiers: ['chat'] } }] }; // prettier-ignore

it('prints the table with names, and takes it back', async () => {
  expect(JSON.parse((await runCommand(['get'])).out)).toEqual(file);
  expect((await runCommand(['apply', '-'], JSON.stringify(file))).err).toBe('The table is replaced (version 1).\n');
  expect(sentBodies()).toEqual([{ routes }]);
});

it('shows the receivers and the matching rules', async () => {
  const { out } = await runCommand(['test', '--monitor', 'Failed']);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { notifier: 'chat', because: 'the monitor names it' },
    { notifier: 'pager', because: 'route 1, pages' },
    { notifier: 'chat', because: 'route 1, pages: not acknowledged for 5 min' },
  ]);
  expect(sentBodies().at(-1)).toEqual({ monitorId: 'mon_1' });
  await runCommand(['test', '--label', 'team=a', '--severity', 'critical', '--file', '-'], JSON.stringify(file));
  expect(sentBodies().at(-1)).toEqual({ labels: { team: 'a' }, severity: 'critical', routes });
});

it.each([
  [['test', '--severity', 'high'], '', "--severity must be info, warning, error, critical, not 'high'"],
  [['test', '--monitor', 'Failed', '--label', 'a=b'], '', '--monitor has its own labels'],
  [['apply', '-'], '{"routes": [{"name": "x", "notifer": []}]}', "a route has no 'notifer'; did you mean 'notifiers'?"],
  [['apply', '-'], '{"routes": [{"name": "x", "notifiers": ["nobody"]}]}', "notifier 'nobody' not found"],
  [['apply', '-'], '{}', "- must have a list 'routes'"],
])('rejects %j', async (words, input, problem) => {
  const { exit, err } = await runCommand(words, input);
  expect(exit).not.toBe(0);
  expect(err).toContain(problem);
});
