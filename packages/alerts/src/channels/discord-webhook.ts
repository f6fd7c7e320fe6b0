import { channel, post } from './channel.js';
import { discordMessage, judgeDiscord } from './discord-message.js';

/** A webhook of a channel. */
export const discordWebhook = channel({
  name: 'discordWebhook',
  delivery: ({ discordWebhookUrl }, notification, { link }) =>
    post(discordWebhookUrl, discordMessage(notification, link)),
  judge: judgeDiscord,
});
