import { expect, test } from 'vitest';
import type { Attempt } from '../channels/channel.js';
import { deliver, type Recipients } from './deliver.js';
import { testNotification } from './test-notification.js';

/** Mail to several addresses: each has its own outcome. */

const notifier = {
  id: 'notify_1',
  name: 'team',
  properties: { email: { emails: ['good@a.example', 'bad@a.example', 'slow@a.example'] } },
  createdAt: '',
  createdBy: '',
  updatedAt: '',
};
const bad: Attempt = { kind: 'failed', problem: '550 no such user' };
const slow: Attempt = { kind: 'later', problem: '450 try again' };
const good: Attempt = { kind: 'delivered' };

/** One attempt, with the addresses that were tried. */
async function attempt(outcomes: Readonly<Record<string, Attempt>>, recipients?: Recipients) {
  const tried: string[] = [];
  const sender = {
    post: () => Promise.reject(new Error('not a webhook')),
    mail: async ({ to }: { readonly to: string }) => {
      const [name = ''] = to.split('@');
      tried.push(name);
      return outcomes[name]!;
    },
  };
  const context = {
    sender,
    signal: new AbortController().signal,
    consoleUrl: undefined,
    opsgenieUrl: undefined,
    templateSteps: 1000,
  };
  const notification = testNotification('2026-11-20T10:00:00Z');
  return { tried, ...(await deliver('n1', notification, notifier, context, recipients)) };
}

test('a bad address delays no other; a retry skips receivers that succeeded', async () => {
  const first = await attempt({ good, bad, slow });
  expect(first.tried).toEqual(['good', 'bad', 'slow']);
  expect(first.attempt).toEqual({
    kind: 'later',
    problem: 'bad@a.example: 550 no such user; slow@a.example: 450 try again',
  });
  const second = await attempt({ slow: good }, first.recipients);
  expect([second.tried, second.attempt]).toEqual([['slow'], { kind: 'delivered' }]);
  expect(second.recipients).toEqual({
    'good@a.example': 'delivered',
    'bad@a.example': '550 no such user',
    'slow@a.example': 'delivered',
  });
});

test('mail that no address takes has failed', async () =>
  expect((await attempt({ good: bad, bad, slow: bad })).attempt).toMatchObject({ kind: 'failed' }));
