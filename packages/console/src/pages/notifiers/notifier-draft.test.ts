import type { WriteNotifier } from '@millrace/client';
import { expect, it } from 'vitest';
import { channelNames } from './channels.js';
import { missingIn, notifierBodyOf, notifierDraftOf } from './notifier-draft.js';

const examples: readonly WriteNotifier['properties'][] = [
  { slack: { slackUrl: 'https://hooks.slack.com/services/x' } },
  { email: { emails: ['a@example.com', 'b@example.com'] } },
  { webhook: { url: 'https://example.com' } },
  {
    customWebhook: {
      url: 'https://example.com',
      body: '{\n\t"a": "{{.Body}}"\n}\n',
      headers: { 'X-A': 'b: c' },
      secretHeaders: { Authorization: '' },
    },
  },
  { pagerduty: { routingKey: '' } },
  { opsgenie: { apiKey: 'k', isEU: true } },
  { microsoftTeams: { microsoftTeamsUrl: 'https://example.com/workflows/1' } },
  { discordWebhook: { discordWebhookUrl: 'https://discord.com/api/webhooks/1/x' } },
  { discord: { discordChannel: '123', discordToken: 'Bot x' } },
];

it.each(examples)('%j that is opened in the form and saved is the same', (properties) => {
  const notifier = { name: 'n', properties, disabledUntil: '2030-01-01T00:00:00Z' };
  expect(notifierBodyOf(notifierDraftOf(notifier))).toEqual(notifier);
  expect(missingIn(notifierDraftOf(notifier), true)).toEqual({});
});

it('every channel has an example here', () =>
  expect(examples.flatMap((each) => Object.keys(each)).toSorted()).toEqual(channelNames.toSorted()));

it('a secret may be empty only if there is one already', () => {
  const draft = notifierDraftOf({ name: 'n', properties: { pagerduty: { routingKey: '' } } });
  expect(Object.keys(missingIn(draft, false))).toEqual(['routingKey']);
  expect(Object.keys(missingIn({ ...draft, name: ' ', channel: 'slack', values: {} }, true))).toEqual([
    'name',
    'slackUrl',
  ]);
});
