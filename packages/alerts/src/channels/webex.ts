import { channel, post } from './channel.js';
import { linkLines, plainMessage, truncateBytes } from './plain-message.js';

/** Message of a bot to a space of Webex, as plain text of at most 7,439 bytes. */
export const webex = channel({
  name: 'webex',
  delivery: ({ roomId, accessToken }, notification, links) => {
    const end = linkLines(links);
    const text = truncateBytes(plainMessage(notification, {}, 7000), 7400 - Buffer.byteLength(end));
    return post(
      'https://webexapis.com/v1/messages',
      { roomId, text: `${text}${end}` },
      { authorization: `Bearer ${accessToken}` },
    );
  },
});
