import type { NotifierProperties } from '@millrace/client';

/** Every channel, and what it asks for: the form derives from this table. */

export type ChannelName = keyof NotifierProperties;

export interface ChannelField {
  /** Its name in `properties`. */
  readonly id: string;
  readonly title: string;
  readonly kind: 'text' | 'address' | 'secret' | 'list' | 'flag' | 'template' | 'headers' | 'secret-headers';
  readonly optional?: true;
  readonly placeholder?: string;
  readonly hint?: string;
  /** Shown as empty once it is kept; empty then keeps it. */
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
  // Whoever has such an address can post there.
  kind: 'secret',
  placeholder,
  ...(hint !== undefined && { hint }),
});

export const channels: Readonly<Record<ChannelName, ChannelAbout>> = {
  slack: { title: 'Slack', fields: [hook('slackUrl', 'https://hooks.slack.com/services/…')] },
  email: {
    title: 'E-mail',
    hint: 'The server needs MILLRACE_SMTP_HOST and MILLRACE_SMTP_FROM.',
    fields: [{ id: 'emails', title: 'Addresses', kind: 'list', placeholder: 'ops@example.com', hint: 'One a line' }],
  },
  webhook: {
    title: 'Webhook',
    fields: [{ id: 'url', title: 'Address', kind: 'address', placeholder: 'https://example.com/hook', hint: 'Gets a POST with JSON' }],
  },
  customWebhook: {
    title: 'Custom webhook',
    fields: [
      { id: 'url', title: 'Address', kind: 'address', placeholder: 'https://example.com/hook' },
      { id: 'body', title: 'Body', kind: 'template', optional: true, hint: 'A template as in Go: {{.Title}}, {{.Body}}, {{if eq .Action "Open"}}…{{end}}. Empty is the JSON of Webhook.' },
      { id: 'headers', title: 'Headers', kind: 'headers', optional: true, placeholder: 'X-Team: ops', hint: 'One a line' },
      { id: 'secretHeaders', title: 'Secret headers', kind: 'secret-headers', optional: true, placeholder: 'Authorization: Bearer …', hint: 'One a line. Values that are kept are not shown; empty keeps one.', masked: true },
    ],
  },
  pagerduty: {
    title: 'PagerDuty',
    fields: [{ id: 'routingKey', title: 'Routing key', kind: 'secret', masked: true, hint: 'Of an integration with Events API v2' }],
  },
  opsgenie: {
    title: 'Opsgenie',
    fields: [
      { id: 'apiKey', title: 'API key', kind: 'secret' },
      { id: 'isEU', title: 'In the EU', kind: 'flag', optional: true },
    ],
  },
  microsoftTeams: {
    title: 'Microsoft Teams',
    fields: [hook('microsoftTeamsUrl', 'https://…/workflows/…', 'Of a workflow that posts to a channel')],
  },
  discordWebhook: { title: 'Discord webhook', fields: [hook('discordWebhookUrl', 'https://discord.com/api/webhooks/…')] },
  discord: {
    title: 'Discord bot',
    fields: [
      { id: 'discordChannel', title: 'Channel', kind: 'text', placeholder: '1234567890', hint: 'Its id' },
      { id: 'discordToken', title: 'Token of the bot', kind: 'secret' },
    ],
  },
}; // prettier-ignore

export const channelNames = Object.keys(channels) as readonly ChannelName[];

export const channelIn = (properties: NotifierProperties): ChannelName =>
  channelNames.find((name) => properties[name] !== undefined) ?? 'webhook';
