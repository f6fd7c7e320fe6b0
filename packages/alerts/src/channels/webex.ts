import { channel, post } from './channel.js';
import { plainMessage, truncateBytes } from './plain-message.js';

/** Message of a bot to a space of Webex, as plain text of at most 7,439 bytes. */
export const webex = channel({
  name: 'webex',
  delivery: ({ roomId, accessToken }, notification, { link }) => {
    const end = link === undefined ? '' : `\n${link}`;
    const text = truncateBytes(plainMessage(notification, undefined, 7000), 7400 - Buffer.byteLength(end));
    return post(
      'https://webexapis.com/v1/messages',
      { roomId, text: `${text}${end}` },
      { authorization: `Bearer ${accessToken}` },
    );
  },
});
