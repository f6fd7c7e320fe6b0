import {
  type Attempt,
  escapeMarkdown,
  humanBody,
  channel,
  truncate,
  headline,
  type HttpAnswer,
  post,
} from './channel.js';
import { messageLinks } from './message-links.js';

/** An adaptive card, which both the workflows of Teams and its older connectors take. */
export const microsoftTeams = channel({
  name: 'microsoftTeams',
  delivery: ({ microsoftTeamsUrl }, notification, urls) => {
    const { action, description, severity, timestamp } = notification;
    const color = action === 'Closed' ? 'good' : colors[severity];
    const text = (value: string, more: object = {}) => ({
      type: 'TextBlock',
      text: inTeams(value),
      wrap: true,
      ...more,
    });
    const actions = messageLinks(urls).map(({ text: title, url }) => ({ type: 'Action.OpenUrl', title, url }));
    return post(microsoftTeamsUrl, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.2',
            body: [
              text(truncate(headline(notification), 300), { size: 'large', weight: 'bolder', color }),
              // 28 KB are the most a message may take.
              text(truncate(humanBody(notification), 6000)),
              ...(description === '' ? [] : [text(truncate(description, 2000))]),
              text(`${severity} · ${timestamp}`, { isSubtle: true, size: 'small' }),
            ],
            ...(actions.length > 0 && { actions }),
            msteams: { width: 'full' },
          },
        },
      ],
    });
  },
  judge: judgeTeams,
});

/** Cards have only these colors. */
const colors = { info: 'accent', warning: 'warning', error: 'attention', critical: 'attention' } as const;

/** Text blocks are Markdown, in which a single line break is a space. */
const inTeams = (text: string): string => escapeMarkdown(text).replaceAll(/\r?\n/g, '\n\n');

/**
 * Interprets a response of Teams: connectors respond with 200 and report the failure in the body.
 */
function judgeTeams({ status, text }: HttpAnswer): Attempt | undefined {
  if (status !== 200 || !/failed|error/i.test(text)) return undefined;
  return { kind: 'later', problem: truncate(text.trim(), 200) };
}
