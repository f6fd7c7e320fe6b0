import { digest } from '../outbox/compose.js';
import { humanBody, channel, respondText } from './channel.js';

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
      ...(link === undefined ? [] : [link]),
      ...(respond === undefined ? [] : [`${respondText}: ${respond}`]),
    ];
    const text = [body, ...about].join('\n\n');
    const html = `<h2>${escaped(subject)}</h2><pre>${escaped(body)}</pre>${about.map((line) => `<p>${linked(line, link, respond)}</p>`).join('')}`;
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

function linked(line: string, link: string | undefined, respond: string | undefined): string {
  if (line === link) return `<a href="${escaped(line)}">${escaped(line)}</a>`;
  if (respond !== undefined && line === `${respondText}: ${respond}`)
    return `<a href="${escaped(respond)}">${respondText}</a>`;
  return escaped(line);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
