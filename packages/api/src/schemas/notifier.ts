import { Type, type Static } from 'typebox';
import { anyCase, anyName, withTitle, oneOf, optional, textOf, Timestamp, withMembers } from './parts.js';

/** Notifiers: where notifications go. */

const url = (description: string) => textOf('url', { maxLength: 4096, description });
const headers = (description: string) => Type.Record(anyName, Type.String({ maxLength: 8192 }), { description });
const secret = (description: string) =>
  Type.String({
    maxLength: 4096,
    description: `${description} Shown as empty without the right to write notifiers; empty keeps it.`,
  });

/** One kind of place, by the name it has in `properties`. */
const channelProperties = {
  email: Type.Object({
    emails: Type.Array(textOf('email', { maxLength: 320 }), { minItems: 1, maxItems: 100 }),
  }),
  slack: Type.Object({ slackUrl: url('URL of an incoming webhook.') }),
  discord: Type.Object({
    // Clients store names too; whether there is such a channel, Discord says when it is sent
    // something.
    discordChannel: textOf('written', { minLength: 1, maxLength: 200, description: 'ID of the channel.' }),
    discordToken: secret('Token of a bot.'),
  }),
  discordWebhook: Type.Object({ discordWebhookUrl: url('Webhook URL of a channel.') }),
  pagerduty: Type.Object({
    routingKey: secret('Of Events API v2.'),
    token: optional(Type.String({ maxLength: 4096, description: 'Not used.' })),
    isEU: optional(Type.Boolean({ description: 'The account is in the EU service region.' })),
  }),
  opsgenie: Type.Object({ apiKey: secret('Of the API integration.'), isEU: optional(Type.Boolean()) }),
  microsoftTeams: Type.Object({ microsoftTeamsUrl: url('Webhook URL of a workflow that posts to a channel.') }),
  telegram: Type.Object({
    botToken: secret('Token of a bot.'),
    chatId: textOf('written', { minLength: 1, maxLength: 200, description: 'ID of a chat, or `@name` of a channel.' }),
    topicId: optional(Type.Integer({ minimum: 1, description: 'Topic of a forum.' })),
  }),
  ntfy: Type.Object({
    ntfyUrl: url('URL of the server, such as `https://ntfy.sh`.'),
    topic: textOf('ntfyTopic', { description: 'Up to 64 letters, digits, `-` and `_`.' }),
    accessToken: optional(secret('Access token, if the topic is protected.')),
  }),
  mattermost: Type.Object({ mattermostUrl: url('URL of an incoming webhook.') }),
  googleChat: Type.Object({ googleChatUrl: url('Webhook URL of a space.') }),
  matrix: Type.Object({
    homeserverUrl: url('URL of the homeserver.'),
    roomId: textOf('written', { minLength: 1, maxLength: 255, description: 'Internal ID of the room: `!id:server`.' }),
    accessToken: secret('Access token of a user in the room.'),
  }),
  zulip: Type.Object({
    zulipUrl: url('URL of the organization.'),
    botEmail: textOf('email', { maxLength: 320, description: 'Email address of the bot.' }),
    botApiKey: secret('API key of the bot.'),
    channel: textOf('written', { minLength: 1, maxLength: 60, description: 'Name of the channel.' }),
    topic: optional(
      textOf('written', { maxLength: 60, description: 'Topic in the channel. Default: the name of the monitor.' }),
    ),
  }),
  webex: Type.Object({
    roomId: textOf('written', { minLength: 1, maxLength: 200, description: 'ID of the space.' }),
    accessToken: secret('Access token of a bot in the space.'),
  }),
  twilioSms: Type.Object({
    accountSid: textOf('twilioAccount', { description: 'Account SID.' }),
    authToken: secret('Auth token of the account.'),
    from: textOf('written', {
      minLength: 1,
      maxLength: 64,
      description: 'Number or alphanumeric ID of the sender, or SID of a messaging service.',
    }),
    to: textOf('phone', { description: 'Number of the receiver, such as `+15550100`.' }),
  }),
  awsSns: Type.Object({
    topicArn: textOf('snsTopic', { description: 'ARN of the topic.' }),
    accessKeyId: textOf('awsKeyId', { description: 'ID of an access key that may publish.' }),
    secretAccessKey: secret('Its secret.'),
  }),
  webhook: Type.Object({ url: url('URL that receives a POST with JSON.') }),
  customWebhook: anyCase(
    Type.Object({
      url: url('URL that receives a POST.'),
      body: optional(
        Type.String({ maxLength: 65_536, description: 'Template of the body. Default: a standard JSON object.' }),
      ),
      headers: optional(headers('Headers of the request.')),
      secretHeaders: optional(
        headers('Secret headers of the request. Values are shown as empty; an empty value keeps the stored one.'),
      ),
    }),
  ),
} as const;
export type ChannelName = keyof typeof channelProperties;
export const channelNames = Object.keys(channelProperties) as readonly ChannelName[];
export type PropertiesOf<Name extends ChannelName> = Static<(typeof channelProperties)[Name]>;

/**
 * Required secrets of each channel. Empty in a request keeps the stored value; they are hidden from
 * clients that may not write notifiers.
 */
export const secretsOf: Readonly<Partial<Record<ChannelName, readonly string[]>>> = {
  discord: ['discordToken'],
  pagerduty: ['routingKey'],
  opsgenie: ['apiKey'],
  telegram: ['botToken'],
  matrix: ['accessToken'],
  zulip: ['botApiKey'],
  webex: ['accessToken'],
  twilioSms: ['authToken'],
  awsSns: ['secretAccessKey'],
};

/** Optional secrets, which are hidden like required ones. */
export const optionalSecretsOf: typeof secretsOf = { pagerduty: ['token'], ntfy: ['accessToken'] };

export type NotifierProperties = { [Name in ChannelName]?: PropertiesOf<Name> };
const Properties = withTitle(
  'NotifierProperties',
  Type.Unsafe<NotifierProperties>(
    Type.Object(
      Object.fromEntries(Object.entries(channelProperties).map(([name, channel]) => [name, Type.Optional(channel)])),
      { description: 'Exactly one channel.' },
    ),
  ),
);

const writableProperties = {
  name: Type.String({ minLength: 1, maxLength: 256 }),
  properties: Properties,
  titleTemplate: optional(
    Type.String({ maxLength: 4096, description: 'Go template of titles. Default: the name of the monitor.' }),
  ),
  bodyTemplate: optional(
    Type.String({ maxLength: 16_384, description: 'Go template of texts. Default: what changed, or the event.' }),
  ),
  groupWaitSeconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: 3600,
      description: 'How long changes of a monitor wait for further ones, to be sent in one message. Default: 0.',
    }),
  ),
  groupIntervalMinutes: optional(
    Type.Integer({
      minimum: 0,
      maximum: 1440,
      description:
        'Minimum time between two messages about one monitor. Default: 0. Without effect on PagerDuty and Opsgenie, which have an incident per group.',
    }),
  ),
  disabledUntil: optional(
    Timestamp(
      'Muted until then: opens no incidents and sends no messages, only closes incidents at PagerDuty and Opsgenie. Groups still open at the end of the mute are sent then; matching events are dropped.',
    ),
  ),
};

export const WriteNotifier = withTitle('WriteNotifier', Type.Object(writableProperties));
export type WriteNotifier = Static<typeof WriteNotifier>;
export const Notifier = withMembers(
  'Notifier',
  Type.Object(writableProperties),
  Type.Object({
    id: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String({ description: 'ID of the user.' }),
    updatedAt: Type.String({ format: 'date-time' }),
  }),
);
export type Notifier = Static<typeof Notifier>;

export const PreviewNotifier = withTitle(
  'PreviewNotifier',
  Type.Object({
    notifier: WriteNotifier,
    id: optional(
      Type.String({ description: 'ID of the notifier that it would replace, whose secrets replace empty ones.' }),
    ),
  }),
);

export const NotifierPreview = withTitle(
  'NotifierPreview',
  Type.Object({
    event: oneOf(['Open', 'Closed', 'Match'], { description: '`Match` is sent by match monitors.' }),
    url: optional(Type.String({ description: 'Without path and query; absent for email.' })),
    body: optional(Type.String()),
    problem: optional(Type.String({ description: 'Why the template could not be rendered.' })),
  }),
);
export type NotifierPreview = Static<typeof NotifierPreview>;

export const TestNotifier = withTitle('TestNotifier', Type.Object({ notifier: WriteNotifier }));

export const NotifierTest = withTitle(
  'NotifierTest',
  Type.Object({
    outcome: oneOf(['delivered', 'later', 'failed'], { description: '`later`: a retry may succeed.' }),
    problem: optional(Type.String({ description: 'Why it was not delivered.' })),
    milliseconds: Type.Integer({ description: 'Duration in milliseconds.' }),
    request: optional(
      Type.Object(
        { url: Type.String(), body: Type.String() },
        {
          description: 'The request, without headers; absent for email. The URL is shown without path and query.',
        },
      ),
    ),
    answer: optional(
      Type.Object({ status: Type.Integer(), body: Type.String({ description: 'Start of the response body.' }) }),
    ),
  }),
);
export type NotifierTest = Static<typeof NotifierTest>;

/** Members of a channel's properties that say how something is sent there, not where to. */
const howOnly: ReadonlySet<string> = new Set([
  'body',
  'headers',
  'secretHeaders',
  'token',
  'discordToken',
  'accessToken',
  'authToken',
  'botApiKey',
  'botToken',
  'accessKeyId',
  'secretAccessKey',
]);

/** Identifies the place that a notifier leads to. */
export const destinationOf = (properties: NotifierProperties): string =>
  JSON.stringify(properties, (name, value: unknown) => (howOnly.has(name) ? undefined : value));
