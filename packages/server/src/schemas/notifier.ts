import { Type, type Static } from 'typebox';
import { anyCase, anyName, named, oneOf, optional, textOf, Timestamp, withMembers } from './parts.js';

/** Notifiers: where notifications go. */

const url = (description: string) => textOf('url', { maxLength: 4096, description });
const headers = (description: string) => Type.Record(anyName, Type.String({ maxLength: 8192 }), { description });
const secret = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description });

/** One kind of place, by the name it has in `properties`. */
const channelProperties = {
  email: Type.Object({
    emails: Type.Array(textOf('email', { maxLength: 320 }), { minItems: 1, maxItems: 100 }),
  }),
  slack: Type.Object({ slackUrl: url('Incoming webhook of Slack.') }),
  discord: Type.Object({
    // Clients store names too; whether there is such a channel, Discord says when it is sent
    // something.
    discordChannel: textOf('written', { minLength: 1, maxLength: 200, description: 'Id of the channel.' }),
    discordToken: secret('Token of a bot.'),
  }),
  discordWebhook: Type.Object({ discordWebhookUrl: url('Webhook of a channel of Discord.') }),
  pagerduty: Type.Object({
    routingKey: Type.String({ maxLength: 4096, description: 'Of Events API v2. Shown as empty; empty keeps it.' }),
    token: optional(Type.String({ maxLength: 4096, description: 'Not used.' })),
  }),
  opsgenie: Type.Object({ apiKey: secret('Of the API integration.'), isEU: optional(Type.Boolean()) }),
  microsoftTeams: Type.Object({ microsoftTeamsUrl: url('Of a workflow that posts to a channel.') }),
  webhook: Type.Object({ url: url('Gets a POST with JSON.') }),
  customWebhook: anyCase(
    Type.Object({
      url: url('Gets a POST.'),
      body: optional(
        Type.String({ maxLength: 65_536, description: 'Template of the body; the default one if empty.' }),
      ),
      headers: optional(headers('Sent with it.')),
      secretHeaders: optional(headers('Likewise. Values are shown as empty; empty keeps one.')),
    }),
  ),
} as const;
export type ChannelName = keyof typeof channelProperties;
export const channelNames = Object.keys(channelProperties) as readonly ChannelName[];
export type PropertiesOf<Name extends ChannelName> = Static<(typeof channelProperties)[Name]>;

const Properties = named(
  'NotifierProperties',
  Type.Object(
    {
      email: optional(channelProperties.email),
      slack: optional(channelProperties.slack),
      discord: optional(channelProperties.discord),
      discordWebhook: optional(channelProperties.discordWebhook),
      pagerduty: optional(channelProperties.pagerduty),
      opsgenie: optional(channelProperties.opsgenie),
      microsoftTeams: optional(channelProperties.microsoftTeams),
      webhook: optional(channelProperties.webhook),
      customWebhook: optional(channelProperties.customWebhook),
    },
    { description: 'Exactly one of them.' },
  ),
);
export type NotifierProperties = Static<typeof Properties>;

const written = {
  name: Type.String({ minLength: 1, maxLength: 256 }),
  properties: Properties,
  disabledUntil: optional(Timestamp('Sends nothing until then; what comes meanwhile is dropped.')),
};

export const WriteNotifier = named('WriteNotifier', Type.Object(written));
export type WriteNotifier = Static<typeof WriteNotifier>;
export const Notifier = withMembers(
  'Notifier',
  Type.Object(written),
  Type.Object({
    id: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String({ description: 'Id of the user.' }),
    updatedAt: Type.String({ format: 'date-time' }),
  }),
);
export type Notifier = Static<typeof Notifier>;

export const PreviewNotifier = named(
  'PreviewNotifier',
  Type.Object({
    notifier: WriteNotifier,
    id: optional(
      Type.String({ description: 'The notifier that it would replace: empty secrets are those of this one.' }),
    ),
  }),
);

export const NotifierPreview = named(
  'NotifierPreview',
  Type.Object({
    event: oneOf(['Open', 'Closed', 'Match'], { description: '`Match` is one of a monitor of matching events.' }),
    url: optional(Type.String({ description: 'Without what follows the host; mail has none.' })),
    body: optional(Type.String()),
    problem: optional(Type.String({ description: 'Why the template makes nothing of it.' })),
  }),
);
export type NotifierPreview = Static<typeof NotifierPreview>;

export const NotifierTest = named(
  'NotifierTest',
  Type.Object({
    outcome: oneOf(['delivered', 'later', 'failed'], { description: '`later`: another attempt may work.' }),
    problem: optional(Type.String({ description: 'Why it was not delivered.' })),
    milliseconds: Type.Integer({ description: 'How long it took.' }),
    request: optional(
      Type.Object(
        { url: Type.String(), body: Type.String() },
        {
          description:
            'What was sent, without headers; mail has none. Addresses are shown without what follows the host.',
        },
      ),
    ),
    answer: optional(Type.Object({ status: Type.Integer(), body: Type.String({ description: 'The beginning.' }) })),
  }),
);
export type NotifierTest = Static<typeof NotifierTest>;
