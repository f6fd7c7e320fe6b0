import { digest } from '../outbox/compose.js';
import { humanBody, channel } from './channel.js';

/** One message for each address. Messages about one incident are a thread. */
export const email = channel({
  name: 'email',
  delivery: ({ emails }, notification, { id, link }) => {
    const { action, title, severity, description, timestamp, queryStartTime, queryEndTime } = notification;
    // The default severity needs no mention.
    const subject = `[${action === 'Open' ? 'Triggered' : 'Resolved'}${severity === 'error' ? '' : `: ${severity}`}] ${title.replaceAll(/[\p{Cc}]/gu, ' ')}`;
    const body = humanBody(notification);
    const about = [
      ...(description === '' ? [] : [description]),
      `${timestamp} (looked at ${queryStartTime} to ${queryEndTime})`,
      ...(link === undefined ? [] : [link]),
    ];
    const text = [body, ...about].join('\n\n');
    const html = `<h2>${escaped(subject)}</h2><pre>${escaped(body)}</pre>${about.map((line) => `<p>${linked(line, link)}</p>`).join('')}`;
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

const linked = (line: string, link: string | undefined): string =>
  line === link ? `<a href="${escaped(line)}">${escaped(line)}</a>` : escaped(line);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
