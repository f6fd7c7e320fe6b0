import { type Attempt, bodyForPeople, channel, clip, headline, type HttpAnswer, post } from './channel.js';

/** An adaptive card, which both the workflows of Teams and its older connectors take. */
export const microsoftTeams = channel({
  name: 'microsoftTeams',
  delivery: ({ microsoftTeamsUrl }, notification, { link }) => {
    const { action, description, severity, timestamp } = notification;
    const color = action === 'Closed' ? 'good' : severity === 'warning' ? 'warning' : 'attention';
    const text = (value: string, more: object = {}) => ({ type: 'TextBlock', text: value, wrap: true, ...more });
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
              text(clip(headline(notification), 300), { size: 'large', weight: 'bolder', color }),
              // 28 KB are the most a message may take.
              text(clip(bodyForPeople(notification), 6000)),
              ...(description === '' ? [] : [text(clip(description, 2000))]),
              text(timestamp, { isSubtle: true, size: 'small' }),
            ],
            ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open the monitor', url: link }] }),
            msteams: { width: 'full' },
          },
        },
      ],
    });
  },
  judge: judgeTeams,
});

/** Connectors answer 200 and write into the body that Teams did not take it. */
function judgeTeams({ status, text }: HttpAnswer): Attempt | undefined {
  if (status !== 200 || !/failed|error/i.test(text)) return undefined;
  return { kind: 'later', problem: clip(text.trim(), 200) };
}
