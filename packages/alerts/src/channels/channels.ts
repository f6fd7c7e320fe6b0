import type { ChannelName } from '@millrace/api/schemas/notifier';
import type { ChannelOf } from '../notifier.js';
import type { Notification } from '../outbox/notification.js';
import {
  type Attempt,
  type Channel,
  type ChannelContext,
  type Delivery,
  type HttpAnswer,
  classifyStatus,
} from './channel.js';
import { awsSns } from './aws-sns.js';
import { customWebhook } from './custom-webhook.js';
import { discord } from './discord.js';
import { discordWebhook } from './discord-webhook.js';
import { email } from './email.js';
import { googleChat } from './google-chat.js';
import { matrix } from './matrix.js';
import { mattermost } from './mattermost.js';
import { microsoftTeams } from './microsoft-teams.js';
import { ntfy } from './ntfy.js';
import { opsgenie } from './opsgenie.js';
import { pagerduty } from './pagerduty.js';
import { slack } from './slack.js';
import { telegram } from './telegram.js';
import { twilioSms } from './twilio-sms.js';
import { webex } from './webex.js';
import { webhook } from './webhook.js';
import { zulip } from './zulip.js';

/** Every channel. */
const channels: { readonly [Name in ChannelName]: Channel<Name> } = {
  email,
  slack,
  discord,
  discordWebhook,
  pagerduty,
  opsgenie,
  microsoftTeams,
  telegram,
  ntfy,
  mattermost,
  googleChat,
  matrix,
  zulip,
  webex,
  twilioSms,
  awsSns,
  webhook,
  customWebhook,
};

export const isPerGroup = (name: ChannelName): boolean => channels[name].perGroup === true;

/** Creates the request or mail for a notification. */
export function deliveryTo(
  { name, properties }: ChannelOf,
  notification: Notification,
  context: ChannelContext,
): Delivery {
  // The name determines the type of the properties, which a union cannot express.
  const channel = channels[name] as unknown as Channel<typeof name>;
  return (channel.delivery as (...given: [unknown, Notification, ChannelContext]) => Delivery)(
    properties,
    notification,
    context,
  );
}

export const judge = (name: ChannelName, answer: HttpAnswer): Attempt =>
  channels[name].judge?.(answer) ?? classifyStatus(answer);
