import { digest } from '../outbox/compose.js';
import { humanBody, channel } from './channel.js';
import { messageLinks } from './message-links.js';

/** One message for each address. Messages about one incident are a thread. */
export const email = channel({
  name: 'email',
  delivery: ({ emails }, notification, { id, link, respond }) => {
    const { action, title, severity, description, timestamp, queryStartTime, queryEndTime } = notification;
    // The default severity needs no mention.
    const subject = `[${action === 'Open' ? 'Triggered' : 'Resolved'}${severity === 'error' ? '' : `: ${severity}`}] ${title.replaceAll(/[\p{Cc}]/gu, ' ')}`;
    const body = humanBody(notification);
    const about = [
      ...(description === '' ? [] : [description]),
      `${timestamp} (looked at ${queryStartTime} to ${queryEndTime})`,
    ];
    const links = messageLinks({ link, respond });
    const text = [body, ...about, ...links.map((each) => `${each.text}: ${each.url}`)].join('\n\n');
    const paragraphs = [
      ...about.map(escapeHtml),
      ...links.map((each) => `<a href="${escapeHtml(each.url)}">${each.text}</a>`),
    ].map((html) => `<p>${html}</p>`);
    const html = `<h2>${escapeHtml(subject)}</h2><pre>${escapeHtml(body)}</pre>${paragraphs.join('')}`;
    return {
      kind: 'mail',
      mails: emails.map((to) => ({
        to,
        subject,
        text,
        html,
        messageId: `${digest(`${id} ${to}`)}@millrace`,
        thread: `${digest(notification.incident)}@millrace`,
      })),
    };
  },
});

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
