import { channel, headline, humanBody, post, truncate } from './channel.js';
import { messageLinks } from './message-links.js';

/** Webhook of a space: a card, in whose text only HTML needs escaping. */
export const googleChat = channel({
  name: 'googleChat',
  delivery: ({ googleChatUrl }, notification, urls) => {
    const text = truncate(humanBody(notification), 4000);
    const buttons = messageLinks(urls).map((each) => ({ text: each.text, onClick: { openLink: { url: each.url } } }));
    const widgets = [
      { textParagraph: { text: escapeHtml(text).replaceAll(/\r?\n/g, '<br>') } },
      ...(buttons.length === 0 ? [] : [{ buttonList: { buttons } }]),
    ];
    return post(inThread(googleChatUrl), {
      fallbackText: truncate(`${headline(notification)}: ${text}`, 1000),
      thread: { threadKey: notification.incident },
      cardsV2: [
        {
          cardId: 'notification',
          card: {
            header: {
              title: truncate(headline(notification), 200),
              subtitle: truncate(`${notification.severity} · ${notification.description}`, 500),
            },
            sections: [{ widgets }],
          },
        },
      ],
    });
  },
});

/** Messages about one incident are a thread; without this parameter the key is ignored. */
function inThread(url: string): string {
  const target = new URL(url);
  target.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
  return target.href;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character]!);
