import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { channelNames } from '../../schemas/notifier.js';
import type { ChannelOf } from '../notifier.js';
import type { Notification } from '../outbox/notification.js';
import { sampleMatch, sampleNotification } from '../testing/notifications.js';
import type { Delivery } from './channel.js';
import { deliveryTo, judge } from './channels.js';

/**
 * What each channel is sent. `channels.golden.json` shows it; `npx vitest run --update` writes it
 * anew.
 */

const channels: readonly ChannelOf[] = [
  { name: 'email', properties: { emails: ['a@example.com', 'b@example.com'] } },
  { name: 'slack', properties: { slackUrl: 'https://hooks.slack.com/services/x' } },
  { name: 'discord', properties: { discordChannel: '12', discordToken: 'secret' } },
  { name: 'discordWebhook', properties: { discordWebhookUrl: 'https://discord.com/api/webhooks/1/x' } },
  { name: 'pagerduty', properties: { routingKey: 'R0' } },
  { name: 'opsgenie', properties: { apiKey: 'k', isEU: true } },
  { name: 'microsoftTeams', properties: { microsoftTeamsUrl: 'https://x.example/workflows/1' } },
  { name: 'webhook', properties: { url: 'https://example.com/hook' } },
  { name: 'customWebhook', properties: { url: 'https://example.com/hook', body: '{"t":"{{.Title}}","b":"{{.Body}}"}', headers: { 'Content-Type': 'application/json', A: 'open' }, secretHeaders: { a: 'secret' } } }, // prettier-ignore
];
const context = {
  id: 'mon_1-7-x',
  link: 'https://logs.example.com/console/monitors/mon_1',
  opsgenieUrl: undefined,
  templateSteps: 100_000,
};

const bodyOf = (delivery: Delivery): unknown =>
  delivery.kind === 'http' ? JSON.parse(delivery.request.body) : delivery.mails;
const shown = (channel: ChannelOf, notification: Notification) => {
  const delivery = deliveryTo(channel, notification, context);
  return delivery.kind === 'mail' ? delivery : { ...delivery.request, body: bodyOf(delivery) };
};

test('every channel has an example here', () =>
  expect(channels.map(({ name }) => name).toSorted()).toEqual(channelNames.toSorted()));

test('what is sent', async () => {
  const all = Object.fromEntries(
    channels.map((channel) => [
      channel.name,
      {
        open: shown(channel, sampleNotification()),
        closed: shown(channel, sampleNotification({ action: 'Closed', value: 0 })),
        match: shown(channel, sampleMatch({ level: 'error', n: 1, tags: ['<a>'] })),
      },
    ]),
  );
  await expect(`${JSON.stringify(all, undefined, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, 'channels.golden.json'),
  );
});

describe('limits of receivers hold for the longest notification', () => {
  const event = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`field_${i}`, '💥&<"x'.repeat(100)]));
  const longest = { ...sampleMatch(event), title: 't💥'.repeat(130), description: 'd&'.repeat(2048) };
  const of = (name: ChannelOf['name']): string => {
    const delivery = deliveryTo(
      channels.find((channel) => channel.name === name)!,
      longest,
      context,
    );
    return delivery.kind === 'http' ? delivery.request.body : '';
  };
  test('Slack', () => {
    const { text, blocks } = JSON.parse(of('slack')) as {
      text: string;
      blocks: { text?: { text: string }; elements?: { text: string }[] }[];
    };
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(blocks[0]!.text!.text.length).toBeLessThanOrEqual(150);
    expect(blocks[1]!.text!.text.length).toBeLessThanOrEqual(3000);
    expect(blocks[2]!.elements![0]!.text.length).toBeLessThanOrEqual(3000);
  });
  test('Discord', () => {
    const { embeds } = JSON.parse(of('discordWebhook')) as {
      embeds: { title: string; description: string; footer: { text: string } }[];
    };
    const [{ title, description, footer }] = embeds as [(typeof embeds)[0]];
    expect([title.length <= 256, description.length <= 4096, footer.text.length <= 2048]).toEqual([true, true, true]);
    expect(title.length + description.length + footer.text.length).toBeLessThanOrEqual(6000);
  });
  test('PagerDuty', () => {
    const event = JSON.parse(of('pagerduty')) as { dedup_key: string; payload: { summary: string } };
    expect([event.dedup_key.length <= 255, event.payload.summary.length <= 1024]).toEqual([true, true]);
    expect(Buffer.byteLength(of('pagerduty'))).toBeLessThanOrEqual(512 * 1024);
  });
  test('Opsgenie', () => {
    const alert = JSON.parse(of('opsgenie')) as { message: string; alias: string; description: string };
    expect([alert.message.length <= 130, alert.alias.length <= 512, alert.description.length <= 15_000]).toEqual([
      true,
      true,
      true,
    ]);
  });
  test('Teams', () => expect(Buffer.byteLength(of('microsoftTeams'))).toBeLessThanOrEqual(28 * 1024));
});

test.each([
  ['webhook', 200, {}, 'ok', { kind: 'delivered' }],
  ['microsoftTeams', 202, {}, '', { kind: 'delivered' }],
  ['microsoftTeams', 200, {}, '1', { kind: 'delivered' }],
  ['microsoftTeams', 200, {}, 'Webhook message delivery failed with error: 429', { kind: 'later' }],
  ['slack', 410, {}, 'channel_is_archived', { kind: 'failed', problem: '410: channel_is_archived' }],
  ['slack', 429, { 'retry-after': '7' }, '', { kind: 'later', after: 7000 }],
  ['discord', 429, { 'retry-after': '1' }, '{"message":"slow","retry_after":2.5}', { kind: 'later', after: 2500 }],
  ['pagerduty', 202, {}, '{"status":"success"}', { kind: 'delivered' }],
  ['pagerduty', 400, {}, '{"status":"invalid event"}', { kind: 'failed' }],
  ['opsgenie', 503, {}, '', { kind: 'later', problem: '503' }],
  [
    'webhook',
    302,
    { location: 'http://elsewhere' },
    '',
    { kind: 'failed', problem: expect.stringContaining('http://elsewhere') },
  ],
] as const)('%s answers %i', (name, status, headers, text, expected) =>
  expect(judge(name, { status, headers, text })).toMatchObject(expected),
);
