import { type Attempt, channel, classifyStatus, type HttpAnswer } from './channel.js';
import { plainMessage } from './plain-message.js';

/**
 * Client-server API of Matrix. The transaction ID is the key of the notification, so a repeated
 * attempt makes no second message.
 */
export const matrix = channel({
  name: 'matrix',
  delivery: ({ homeserverUrl, roomId, accessToken }, notification, { id, ...links }) => {
    const rooms = `${homeserverUrl.replace(/\/+$/, '')}/_matrix/client/v3/rooms`;
    return {
      kind: 'http',
      request: {
        method: 'PUT',
        url: `${rooms}/${encodeURIComponent(roomId)}/send/m.room.message/${encodeURIComponent(id)}`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
        body: JSON.stringify({
          msgtype: 'm.text',
          // An event may have 64 KiB, and a character up to 6 bytes in JSON.
          body: plainMessage(notification, links, 8000),
          // Text of events mentions no users.
          'm.mentions': {},
        }),
      },
    };
  },
  judge: judgeMatrix,
});

/** Matrix puts the delay before a retry in the body. */
function judgeMatrix(answer: HttpAnswer): Attempt | undefined {
  const delay = /"retry_after_ms"\s*:\s*(\d+)/.exec(answer.text)?.[1];
  const judged = classifyStatus(answer);
  return delay === undefined || judged.kind !== 'later' ? undefined : { ...judged, after: Number(delay) };
}
