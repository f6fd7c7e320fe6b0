import { channel, post } from './channel.js';
import { discordMessage, judgeDiscord } from './discord-message.js';

/** A webhook of a channel. */
export const discordWebhook = channel({
  name: 'discordWebhook',
  delivery: ({ discordWebhookUrl }, notification, links) =>
    post(discordWebhookUrl, discordMessage(notification, links)),
  judge: judgeDiscord,
});
