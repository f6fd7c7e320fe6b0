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
  { telegram: { botToken: '1:x', chatId: '-100', topicId: 3 } },
  { ntfy: { ntfyUrl: 'https://ntfy.sh', topic: 'ops' } },
  { mattermost: { mattermostUrl: 'https://chat.example.com/hooks/x' } },
  { googleChat: { googleChatUrl: 'https://chat.googleapis.com/v1/spaces/S/messages' } },
  { matrix: { homeserverUrl: 'https://matrix.example.com', roomId: '!r:example.com', accessToken: 'x' } },
  { zulip: { zulipUrl: 'https://example.zulipchat.com', botEmail: 'b@example.com', botApiKey: 'x', channel: 'ops' } },
  { webex: { roomId: 'R1', accessToken: 'x' } },
  { twilioSms: { accountSid: 'AC0', authToken: 'x', from: '+15550100', to: '+15550101' } },
  { awsSns: { topicArn: 'arn:aws:sns:eu-central-1:123456789012:ops', accessKeyId: 'A', secretAccessKey: 'x' } },
  { discordWebhook: { discordWebhookUrl: 'https://discord.com/api/webhooks/1/x' } },
  { discord: { discordChannel: '123', discordToken: 'Bot x' } },
];

it.each(examples)('an unchanged %j round-trips through the form', (properties) => {
  const own = { titleTemplate: '{{.Title}}', bodyTemplate: '{{.Body}}\n' };
  const notifier = { name: 'n', properties, ...own, disabledUntil: '2030-01-01T00:00:00Z' };
  expect(notifierBodyOf(notifierDraftOf(notifier))).toEqual(notifier);
  expect(missingIn(notifierDraftOf(notifier), true)).toEqual({});
});

it('every channel has an example here', () =>
  expect(examples.flatMap((each) => Object.keys(each)).toSorted()).toEqual(channelNames.toSorted()));

it('a secret may be empty only for an existing notifier', () => {
  const draft = notifierDraftOf({ name: 'n', properties: { pagerduty: { routingKey: '' } } });
  expect(Object.keys(missingIn(draft, false))).toEqual(['routingKey']);
  expect(Object.keys(missingIn({ ...draft, name: ' ', channel: 'slack', values: {} }, true))).toEqual([
    'name',
    'slackUrl',
  ]);
});
