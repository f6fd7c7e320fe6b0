import { channel, post } from './channel.js';
import { discordMessage, judgeDiscord } from './discord-message.js';

/** A bot that writes into a channel. */
export const discord = channel({
  name: 'discord',
  delivery: ({ discordChannel, discordToken }, notification, links) =>
    post(
      `https://discord.com/api/v10/channels/${encodeURIComponent(discordChannel)}/messages`,
      discordMessage(notification, links),
      { authorization: discordToken.startsWith('Bot ') ? discordToken : `Bot ${discordToken}` },
    ),
  judge: judgeDiscord,
});
