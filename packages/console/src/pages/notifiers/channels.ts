import type { NotifierProperties } from '@millrace/client';

/** All channels with their fields; the form derives from this table. */

export type ChannelName = keyof NotifierProperties;

export interface ChannelField {
  /** Name in `properties`. */
  readonly id: string;
  readonly title: string;
  readonly kind: 'text' | 'number' | 'address' | 'secret' | 'list' | 'flag' | 'template' | 'headers' | 'secret-headers';
  readonly optional?: true;
  readonly placeholder?: string;
  readonly hint?: string;
  /** Not shown once stored; leaving it empty keeps it. */
  readonly masked?: true;
}

interface ChannelAbout {
  readonly title: string;
  readonly hint?: string;
  readonly fields: readonly ChannelField[];
}

const hook = (id: string, placeholder: string, hint?: string): ChannelField => ({
  id,
  title: 'Webhook address',
  // The URL is a credential.
  kind: 'secret',
  placeholder,
  ...(hint !== undefined && { hint }),
});

export const channels: Readonly<Record<ChannelName, ChannelAbout>> = {
  slack: { title: 'Slack', fields: [hook('slackUrl', 'https://hooks.slack.com/services/…')] },
  email: {
    title: 'E-mail',
    hint: 'The server needs MILLRACE_SMTP_HOST and MILLRACE_SMTP_FROM.',
    fields: [{ id: 'emails', title: 'Addresses', kind: 'list', placeholder: 'ops@example.com', hint: 'One per line' }],
  },
  webhook: {
    title: 'Webhook',
    fields: [
      {
        id: 'url',
        title: 'Address',
        kind: 'address',
        placeholder: 'https://example.com/hook',
        hint: 'Receives a POST with a JSON body',
      },
    ],
  },
  customWebhook: {
    title: 'Custom webhook',
    fields: [
      { id: 'url', title: 'Address', kind: 'address', placeholder: 'https://example.com/hook' },
      {
        id: 'body',
        title: 'Body',
        kind: 'template',
        optional: true,
        hint: 'Go template, for example {{.Title}}, {{.Body}}, {{if eq .Action "Open"}}…{{end}}. Leave empty for the default JSON.',
      },
      {
        id: 'headers',
        title: 'Headers',
        kind: 'headers',
        optional: true,
        placeholder: 'X-Team: ops',
        hint: 'One per line',
      },
      {
        id: 'secretHeaders',
        title: 'Secret headers',
        kind: 'secret-headers',
        optional: true,
        placeholder: 'Authorization: Bearer …',
        hint: 'One per line. Stored values are hidden; leave a value empty to keep it.',
        masked: true,
      },
    ],
  },
  pagerduty: {
    title: 'PagerDuty',
    fields: [
      { id: 'routingKey', title: 'Routing key', kind: 'secret', masked: true, hint: 'Events API v2 integration key' },
      { id: 'isEU', title: 'EU region', kind: 'flag', optional: true },
    ],
  },
  opsgenie: {
    title: 'Opsgenie',
    fields: [
      { id: 'apiKey', title: 'API key', kind: 'secret' },
      { id: 'isEU', title: 'EU region', kind: 'flag', optional: true },
    ],
  },
  microsoftTeams: {
    title: 'Microsoft Teams',
    fields: [hook('microsoftTeamsUrl', 'https://…/workflows/…', 'Of a workflow that posts to a channel')],
  },
  telegram: {
    title: 'Telegram',
    fields: [
      { id: 'botToken', title: 'Bot token', kind: 'secret' },
      {
        id: 'chatId',
        title: 'Chat',
        kind: 'text',
        placeholder: '-1001234567890',
        hint: 'Chat ID, or @name of a channel',
      },
      { id: 'topicId', title: 'Topic', kind: 'number', optional: true, hint: 'Of a forum' },
    ],
  },
  ntfy: {
    title: 'ntfy',
    fields: [
      { id: 'ntfyUrl', title: 'Server', kind: 'address', placeholder: 'https://ntfy.sh' },
      { id: 'topic', title: 'Topic', kind: 'text', placeholder: 'ops' },
      { id: 'accessToken', title: 'Access token', kind: 'secret', optional: true },
    ],
  },
  mattermost: { title: 'Mattermost', fields: [hook('mattermostUrl', 'https://chat.example.com/hooks/…')] },
  googleChat: { title: 'Google Chat', fields: [hook('googleChatUrl', 'https://chat.googleapis.com/v1/spaces/…')] },
  matrix: {
    title: 'Matrix',
    fields: [
      { id: 'homeserverUrl', title: 'Homeserver', kind: 'address', placeholder: 'https://matrix.example.com' },
      { id: 'roomId', title: 'Room', kind: 'text', placeholder: '!id:example.com', hint: 'Internal room ID' },
      { id: 'accessToken', title: 'Access token', kind: 'secret' },
    ],
  },
  zulip: {
    title: 'Zulip',
    fields: [
      { id: 'zulipUrl', title: 'Organization', kind: 'address', placeholder: 'https://example.zulipchat.com' },
      { id: 'botEmail', title: 'Bot email', kind: 'text' },
      { id: 'botApiKey', title: 'Bot API key', kind: 'secret' },
      { id: 'channel', title: 'Channel', kind: 'text', placeholder: 'ops' },
      { id: 'topic', title: 'Topic', kind: 'text', optional: true, hint: 'Default: the name of the monitor' },
    ],
  },
  webex: {
    title: 'Webex',
    fields: [
      { id: 'roomId', title: 'Space', kind: 'text', hint: 'Room ID' },
      { id: 'accessToken', title: 'Bot access token', kind: 'secret' },
    ],
  },
  twilioSms: {
    title: 'SMS (Twilio)',
    fields: [
      { id: 'accountSid', title: 'Account SID', kind: 'text', placeholder: 'AC…' },
      { id: 'authToken', title: 'Auth token', kind: 'secret' },
      { id: 'from', title: 'From', kind: 'text', hint: 'Number, sender ID or messaging service SID' },
      { id: 'to', title: 'To', kind: 'text', placeholder: '+15550100' },
    ],
  },
  awsSns: {
    title: 'Amazon SNS',
    fields: [
      { id: 'topicArn', title: 'Topic ARN', kind: 'text', placeholder: 'arn:aws:sns:…' },
      { id: 'accessKeyId', title: 'Access key ID', kind: 'text' },
      { id: 'secretAccessKey', title: 'Secret access key', kind: 'secret' },
    ],
  },
  discordWebhook: {
    title: 'Discord webhook',
    fields: [hook('discordWebhookUrl', 'https://discord.com/api/webhooks/…')],
  },
  discord: {
    title: 'Discord bot',
    fields: [
      { id: 'discordChannel', title: 'Channel', kind: 'text', placeholder: '1234567890', hint: 'Channel ID' },
      { id: 'discordToken', title: 'Bot token', kind: 'secret' },
    ],
  },
};

export const channelNames = Object.keys(channels) as readonly ChannelName[];

export const channelIn = (properties: NotifierProperties): ChannelName =>
  channelNames.find((name) => properties[name] !== undefined) ?? 'webhook';
