import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { channelNames } from '@millrace/api/schemas/notifier';
import type { ChannelOf } from '../notifier.js';
import type { Notification } from '../outbox/notification.js';
import { sampleMatch, sampleNotification } from '../testing/notifications.js';
import type { Delivery } from './channel.js';
import { deliveryTo, judge } from './channels.js';

/**
 * The request that each channel sends, compared with `channels.golden.json`; `npx vitest run
 * --update` rewrites that file.
 */

const channels: readonly ChannelOf[] = [
  { name: 'email', properties: { emails: ['a@example.com', 'b@example.com'] } },
  { name: 'slack', properties: { slackUrl: 'https://hooks.slack.com/services/x' } },
  { name: 'discord', properties: { discordChannel: '12', discordToken: 'secret' } },
  { name: 'discordWebhook', properties: { discordWebhookUrl: 'https://discord.com/api/webhooks/1/x' } },
  { name: 'pagerduty', properties: { routingKey: 'R0' } },
  { name: 'opsgenie', properties: { apiKey: 'k', isEU: true } },
  { name: 'microsoftTeams', properties: { microsoftTeamsUrl: 'https://x.example/workflows/1' } },
  { name: 'telegram', properties: { botToken: '1:secret', chatId: '-100', topicId: 3 } },
  { name: 'ntfy', properties: { ntfyUrl: 'https://ntfy.sh', topic: 'ops', accessToken: 'tk_secret' } },
  { name: 'mattermost', properties: { mattermostUrl: 'https://chat.example.com/hooks/x' } },
  { name: 'googleChat', properties: { googleChatUrl: 'https://chat.googleapis.com/v1/spaces/S/messages?key=k&token=t' } }, // prettier-ignore
  { name: 'matrix', properties: { homeserverUrl: 'https://matrix.example.com/', roomId: '!r:example.com', accessToken: 'secret' } }, // prettier-ignore
  { name: 'zulip', properties: { zulipUrl: 'https://example.zulipchat.com', botEmail: 'bot@example.com', botApiKey: 'secret', channel: 'ops' } }, // prettier-ignore
  { name: 'webex', properties: { roomId: 'R1', accessToken: 'secret' } },
  { name: 'twilioSms', properties: { accountSid: `AC${'0'.repeat(32)}`, authToken: 'secret', from: '+15550100', to: '+15550101' } }, // prettier-ignore
  { name: 'awsSns', properties: { topicArn: 'arn:aws:sns:eu-central-1:123456789012:ops.fifo', accessKeyId: 'AKIDEXAMPLE00000', secretAccessKey: 'secret' } }, // prettier-ignore
  { name: 'webhook', properties: { url: 'https://example.com/hook' } },
  {
    name: 'customWebhook',
    properties: {
      url: 'https://example.com/hook',
      body: '{"t":"{{.Title}}","b":"{{.Body}}","links":["{{.MonitorURL}}","{{.RespondURL}}"]}',
      headers: { 'Content-Type': 'application/json', A: 'open' },
      secretHeaders: { a: 'secret' },
    },
  },
];
const context = {
  id: 'mon_1-7-x',
  link: 'https://logs.example.com/console/monitors/mon_1',
  respond: 'https://logs.example.com/console/respond/x.y.z',
  opsgenieUrl: undefined,
  templateSteps: 100_000,
  now: Date.UTC(2026, 10, 20, 10, 6),
};

const bodyOf = (delivery: Delivery): unknown =>
  delivery.kind !== 'http'
    ? delivery.mails
    : delivery.request.headers['content-type'] === 'application/x-www-form-urlencoded'
      ? Object.fromEntries(new URLSearchParams(delivery.request.body))
      : JSON.parse(delivery.request.body);
const renderDelivery = (channel: ChannelOf, notification: Notification) => {
  const isOpening = notification.action === 'Open' && notification.matchedEvent === null;
  const delivery = deliveryTo(channel, notification, isOpening ? context : { ...context, respond: undefined });
  return delivery.kind === 'mail' ? delivery : { ...delivery.request, body: bodyOf(delivery) };
};

test('every channel has an example here', () =>
  expect(channels.map(({ name }) => name).toSorted()).toEqual(channelNames.toSorted()));

test.each(channels.map((channel) => [channel.name, channel] as const))(
  '%s has the links of a message, and none that it does not have',
  (name, channel) => {
    const { link, respond } = context;
    const textWith = (urls: object): string =>
      JSON.stringify(bodyOf(deliveryTo(channel, sampleNotification(), { ...context, ...urls })));
    const has = (text: string) => [text.includes(link), text.includes(respond), /undefined/.test(text)];
    // A text message is billed by its length, so it has one link.
    expect(has(textWith({}))).toEqual([name !== 'twilioSms', true, false]);
    expect(has(textWith({ respond: undefined }))).toEqual([true, false, false]);
    expect(has(textWith({ link: undefined, respond: undefined }))).toEqual([false, false, false]);
  },
);

test('request contents', async () => {
  const all = Object.fromEntries(
    channels.map((channel) => [
      channel.name,
      {
        open: renderDelivery(channel, sampleNotification()),
        closed: renderDelivery(channel, sampleNotification({ action: 'Closed', value: 0 })),
        match: renderDelivery(channel, sampleMatch({ level: 'error', n: 1, tags: ['<a>'] })),
      },
    ]),
  );
  await expect(`${JSON.stringify(all, undefined, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, 'channels.golden.json'),
  );
});

test.each(['discordWebhook', 'microsoftTeams'] as const)('%s shows text of events as it is', (name) => {
  const channel = channels.find((each) => each.name === name)!;
  const text = '*a* _b_ [c](https://x.example) `d`\n# e\n- f\n1. g';
  const { body } = renderDelivery(channel, sampleNotification({ body: text })) as { readonly body: unknown };
  const sent = JSON.stringify(body);
  const lineBreak = name === 'microsoftTeams' ? '\n\n' : '\n';
  const escaped = ['\\*a\\* \\_b\\_ \\[c\\](https://x.example) \\`d\\`', '\\# e', '\\- f', '1\\. g'];
  expect(sent).toContain(JSON.stringify(escaped.join(lineBreak)).slice(1, -1));
});

test('PagerDuty has an endpoint for the EU', () =>
  expect(
    renderDelivery({ name: 'pagerduty', properties: { routingKey: 'R0', isEU: true } }, sampleNotification()),
  ).toMatchObject({
    url: 'https://events.eu.pagerduty.com/v2/enqueue',
  }));

test.each([
  ['info', { discord: 0x1264a3, ntfy: 2, teams: 'accent', mail: '[Triggered: info] t', opsgenie: 'P5' }],
  ['warning', { discord: 0xecb22e, ntfy: 3, teams: 'warning', mail: '[Triggered: warning] t', opsgenie: 'P4' }],
  ['error', { discord: 0xe01e5a, ntfy: 4, teams: 'attention', mail: '[Triggered] t', opsgenie: 'P3' }],
  ['critical', { discord: 0x8b0000, ntfy: 5, teams: 'attention', mail: '[Triggered: critical] t', opsgenie: 'P1' }],
] as const)('severity %s', (severity, { discord, ntfy, teams, mail, opsgenie }) => {
  const of = (name: ChannelOf['name']): unknown =>
    bodyOf(
      deliveryTo(
        channels.find((each) => each.name === name)!,
        sampleNotification({ severity, title: 't' }),
        context,
      ),
    );
  expect(of('discordWebhook')).toMatchObject({ embeds: [{ color: discord }] });
  expect(of('slack')).toMatchObject({ attachments: [{ color: `#${discord.toString(16).padStart(6, '0')}` }] });
  expect(of('ntfy')).toMatchObject({ priority: ntfy });
  expect(of('microsoftTeams')).toMatchObject({ attachments: [{ content: { body: [{ color: teams }, {}, {}, {}] } }] });
  expect(of('email')).toMatchObject([{ subject: mail }, {}]);
  expect(of('opsgenie')).toMatchObject({ priority: opsgenie });
  expect(of('pagerduty')).toMatchObject({ payload: { severity } });
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
    const { text, blocks, attachments } = JSON.parse(of('slack')) as {
      text: string;
      blocks: { text: { text: string } }[];
      attachments: { blocks: { elements: { text: string }[] }[] }[];
    };
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(blocks[0]!.text.text.length).toBeLessThanOrEqual(150);
    expect(blocks[1]!.text.text.length).toBeLessThanOrEqual(3000);
    expect(attachments[0]!.blocks[0]!.elements[0]!.text.length).toBeLessThanOrEqual(3000);
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
  test.each([
    ['telegram', 'text', 4096],
    ['webex', 'text', 7439],
    ['matrix', 'body', 8000],
  ] as const)('%s', (name, member, max) => {
    const sent = (JSON.parse(of(name)) as Record<string, string>)[member]!;
    expect(name === 'webex' ? Buffer.byteLength(sent) : sent.length).toBeLessThanOrEqual(max);
    expect(sent.endsWith(context.respond)).toBe(true);
  });
  test('bytes of an event of Matrix, and of messages of ntfy and Google Chat', () => {
    expect(Buffer.byteLength(of('matrix'))).toBeLessThan(60_000);
    expect(Buffer.byteLength((JSON.parse(of('ntfy')) as { message: string }).message)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(of('googleChat'))).toBeLessThanOrEqual(32_000);
    expect((JSON.parse(of('mattermost')) as { attachments: { text: string }[] }).attachments[0]!.text.length).toBeLessThanOrEqual(16_383); // prettier-ignore
  });
  test.each([
    ['zulip', 'content', 10_000],
    ['zulip', 'topic', 60],
    ['twilioSms', 'Body', 1600],
    ['awsSns', 'Subject', 99],
    ['awsSns', 'Message', 256 * 1024],
  ] as const)('%s: %s', (name, member, max) => {
    const sent = new URLSearchParams(of(name)).get(member)!;
    expect(name === 'awsSns' ? Buffer.byteLength(sent) : sent.length).toBeLessThanOrEqual(max);
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
  ['telegram', 429, {}, '{"ok":false,"parameters":{"retry_after":35}}', { kind: 'later', after: 35_000 }],
  ['telegram', 400, {}, '{"ok":false,"description":"chat not found"}', { kind: 'failed' }],
  ['matrix', 429, {}, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2000}', { kind: 'later', after: 2000 }],
  ['matrix', 403, {}, '{"errcode":"M_FORBIDDEN"}', { kind: 'failed' }],
  ['zulip', 429, {}, '{"result":"error","retry-after":28.7}', { kind: 'later', after: 28_700 }],
  ['twilioSms', 201, {}, '{"status":"queued"}', { kind: 'delivered' }],
  ['awsSns', 403, {}, '<ErrorResponse/>', { kind: 'failed' }],
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
