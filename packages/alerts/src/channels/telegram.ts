import { type Attempt, channel, classifyStatus, type HttpAnswer, post } from './channel.js';
import { plainMessage } from './plain-message.js';

/** `sendMessage` of the Bot API. Without a parse mode, text of events needs no escaping. */
export const telegram = channel({
  name: 'telegram',
  delivery: ({ botToken, chatId, topicId }, notification, links) =>
    // The token is a part of the path and contains a colon.
    post(`https://api.telegram.org/bot${encodeURIComponent(botToken).replaceAll('%3A', ':')}/sendMessage`, {
      chat_id: chatId,
      ...(topicId !== undefined && { message_thread_id: topicId }),
      text: plainMessage(notification, links, 4096),
      link_preview_options: { is_disabled: true },
      disable_notification: notification.action === 'Closed' || notification.severity === 'info',
    }),
  judge: judgeTelegram,
});

/** Telegram puts the delay before a retry in the body. */
function judgeTelegram(answer: HttpAnswer): Attempt | undefined {
  const seconds = /"retry_after"\s*:\s*(\d+)/.exec(answer.text)?.[1];
  const judged = classifyStatus(answer);
  return seconds === undefined || judged.kind !== 'later' ? undefined : { ...judged, after: Number(seconds) * 1000 };
}
