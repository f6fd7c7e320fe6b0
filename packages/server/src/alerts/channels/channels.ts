import type { ChannelName } from '../../schemas/notifier.js';
import type { ChannelOf } from '../notifier.js';
import type { Notification } from '../outbox/notification.js';
import {
  type Attempt,
  type Channel,
  type ChannelContext,
  type Delivery,
  type HttpAnswer,
  judgeByStatus,
} from './channel.js';
import { customWebhook } from './custom-webhook.js';
import { discord } from './discord.js';
import { discordWebhook } from './discord-webhook.js';
import { email } from './email.js';
import { microsoftTeams } from './microsoft-teams.js';
import { opsgenie } from './opsgenie.js';
import { pagerduty } from './pagerduty.js';
import { slack } from './slack.js';
import { webhook } from './webhook.js';

/** Every channel. */
const channels: { readonly [Name in ChannelName]: Channel<Name> } = {
  email,
  slack,
  discord,
  discordWebhook,
  pagerduty,
  opsgenie,
  microsoftTeams,
  webhook,
  customWebhook,
};

export const isPerGroup = (name: ChannelName): boolean => channels[name].perGroup === true;

/** What is sent of a notification. */
export function deliveryTo(
  { name, properties }: ChannelOf,
  notification: Notification,
  context: ChannelContext,
): Delivery {
  // Properties are those of the channel with the name; the types cannot say that of a union.
  const channel = channels[name] as unknown as Channel<typeof name>;
  return (channel.delivery as (...given: [unknown, Notification, ChannelContext]) => Delivery)(
    properties,
    notification,
    context,
  );
}

export const judge = (name: ChannelName, answer: HttpAnswer): Attempt =>
  channels[name].judge?.(answer) ?? judgeByStatus(answer);
