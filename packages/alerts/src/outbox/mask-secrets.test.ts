import { expect, it } from 'vitest';
import type { Notifier, NotifierProperties } from '@millrace/api/schemas/notifier';
import { maskSecrets } from './mask-secrets.js';

const notifier = (properties: NotifierProperties): Notifier => ({
  id: 'n1',
  name: 'On call',
  properties,
  createdAt: '2026-11-01T00:00:00Z',
  createdBy: 'u1',
  updatedAt: '2026-11-01T00:00:00Z',
});

it.each([
  [
    'a header that the receiver returns, with and without its scheme',
    { customWebhook: { url: 'https://h.example/hook', body: '{}', headers: { Authorization: 'Bearer s3cret-token' } } },
    'got Authorization: Bearer s3cret-token, s3cret-token',
    'got Authorization: … …, …',
  ],
  [
    'the path of a webhook, not its host',
    { slack: { slackUrl: 'https://hooks.slack.com/services/T0/B0/XYZ' } },
    'no team at https://hooks.slack.com/services/T0/B0/XYZ',
    'no team at https://hooks.slack.com…',
  ],
  [
    'a routing key',
    { pagerduty: { routingKey: 'R0123456789ABCDEF' } },
    '{"message":"Invalid routing key R0123456789ABCDEF"}',
    '{"message":"Invalid routing key …"}',
  ],
  [
    'nothing else',
    { slack: { slackUrl: 'https://hooks.slack.com/' } },
    'ok: see https://hooks.slack.com/help',
    'ok: see https://hooks.slack.com/help',
  ],
] as const)('masks %s', (_, properties, text, masked) => {
  expect(maskSecrets(text, notifier(properties as unknown as NotifierProperties))).toBe(masked);
});
